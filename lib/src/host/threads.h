// SPDX-License-Identifier: Apache-2.0
// Threads, a mutex and a condition of the operating system, for pool.c: POSIX threads, or those of Windows, which need no initialisation
// that could fail.
#ifndef RINGSIDE_THREADS_H
#define RINGSIDE_THREADS_H

#include <stdint.h>

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

typedef SRWLOCK mutex_t;
typedef CONDITION_VARIABLE condition_t;
typedef HANDLE thread_t;
#define THREAD_RESULT DWORD WINAPI

static inline void mutex_init(mutex_t *mutex) { InitializeSRWLock(mutex); }

static inline void mutex_destroy(mutex_t *mutex) { (void)mutex; }

static inline void mutex_lock(mutex_t *mutex) { AcquireSRWLockExclusive(mutex); }

static inline void mutex_unlock(mutex_t *mutex) { ReleaseSRWLockExclusive(mutex); }

static inline void condition_init(condition_t *condition) { InitializeConditionVariable(condition); }

static inline void condition_destroy(condition_t *condition) { (void)condition; }

static inline void condition_wait(condition_t *condition, mutex_t *mutex) {
    SleepConditionVariableSRW(condition, mutex, INFINITE, 0);
}

static inline void condition_broadcast(condition_t *condition) { WakeAllConditionVariable(condition); }

// 1 if the thread runs.
static inline int thread_start(thread_t *thread, DWORD(WINAPI *call)(void *), void *argument) {
    *thread = CreateThread(NULL, 0, call, argument, 0, NULL);
    return *thread != NULL;
}

static inline void thread_join(thread_t thread) {
    WaitForSingleObject(thread, INFINITE);
    CloseHandle(thread);
}

// Processors that this process may run on; 0 if that is not known.
static inline uint32_t usable_processors(void) {
    DWORD_PTR mine = 0;
    DWORD_PTR all = 0;
    if (!GetProcessAffinityMask(GetCurrentProcess(), &mine, &all)) return 0;
    uint32_t count = 0;
    for (; mine; mine &= mine - 1) count++;
    return count;
}

// No process of Windows is another one's copy.
static inline int process_number(void) { return 0; }
#else
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

typedef pthread_mutex_t mutex_t;
typedef pthread_cond_t condition_t;
typedef pthread_t thread_t;
#define THREAD_RESULT void *

// With default attributes none of these can fail on Linux or macOS.
static inline void mutex_init(mutex_t *mutex) { pthread_mutex_init(mutex, NULL); }

static inline void mutex_destroy(mutex_t *mutex) { pthread_mutex_destroy(mutex); }

static inline void mutex_lock(mutex_t *mutex) { pthread_mutex_lock(mutex); }

static inline void mutex_unlock(mutex_t *mutex) { pthread_mutex_unlock(mutex); }

static inline void condition_init(condition_t *condition) { pthread_cond_init(condition, NULL); }

static inline void condition_destroy(condition_t *condition) { pthread_cond_destroy(condition); }

static inline void condition_wait(condition_t *condition, mutex_t *mutex) { pthread_cond_wait(condition, mutex); }

static inline void condition_broadcast(condition_t *condition) { pthread_cond_broadcast(condition); }

static inline int thread_start(thread_t *thread, void *(*call)(void *), void *argument) {
    return pthread_create(thread, NULL, call, argument) == 0;
}

static inline void thread_join(thread_t thread) { pthread_join(thread, NULL); }

static inline uint32_t usable_processors(void) {
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return (uint32_t)CPU_COUNT(&set);
#endif
    const long count = sysconf(_SC_NPROCESSORS_ONLN); // macOS binds no process; Linux: more processors than the set can name
    return count < 1 ? 0 : (uint32_t)count;
}

static inline int process_number(void) { return (int)getpid(); }
#endif

#endif
