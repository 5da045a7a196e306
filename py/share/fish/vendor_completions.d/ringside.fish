# SPDX-License-Identifier: Apache-2.0
complete --command ringside --no-files --arguments "(env _RINGSIDE_COMPLETE=complete_fish _TYPER_COMPLETE_FISH_ACTION=get-args _TYPER_COMPLETE_ARGS=(commandline -cp) ringside)" --condition "env _RINGSIDE_COMPLETE=complete_fish _TYPER_COMPLETE_FISH_ACTION=is-args _TYPER_COMPLETE_ARGS=(commandline -cp) ringside"
