import type { Patch } from '../patch.js';

/** Group I, and what figures alone would see: timers, memory, chance. */
export const resources: readonly Patch[] = [
  {
    id: 'I-1',
    story: 'Clients queue every preview for a reader that is slower than the service, until memory ends.',
    file: 'src/interop/bounded-queue.ts',
    find: 'const key = keyOf(value) ?? unkeyed++;',
    replace: 'const key = unkeyed++;',
    caughtBy: { test: 'test/interop/bounded-queue.test.ts', name: 'I-1' },
  },
  {
    id: 'I-4',
    story: 'Looking away from a job ends it: the last unsubscription sends a cancellation.',
    file: 'src/jobs/run.ts',
    find: "onUnsubscribe = 'detach'",
    replace: "onUnsubscribe = 'cancel'",
    caughtBy: { figure: 'S3', within: 15_120 },
  },
  {
    id: 'I-7',
    story: 'Each job leaves a listener on the signal that its caller shares among all of them.',
    file: 'src/interop/on-abort.ts',
    find: 'if (listening.calls.delete(entry) && listening.calls.size === 0) listening.stop();',
    replace: 'listening.calls.delete(entry);',
    caughtBy: { figure: 'S1', within: 200 },
  },
  {
    id: 'I-8',
    story: 'Polls outlive the job that they asked about: a model of sixty lines left 47 timers behind.',
    file: 'src/socket/after.ts',
    find: `new Observable((subscriber) =>
    clock.after(
      delayMs,
      () => {
        subscriber.next();
        subscriber.complete();
      },
      options,
    ),
  );`,
    replace: `new Observable((subscriber) => {
    clock.after(
      delayMs,
      () => {
        subscriber.next();
        subscriber.complete();
      },
      options,
    );
  });`,
    caughtBy: { figure: 'S1', within: 200 },
  },
  {
    id: 'I-9',
    story:
      'The watch over a socket outlives it, so each of a month’s sockets leaves a timer that holds the process.',
    file: 'src/socket/open-socket.ts',
    find: 'return () => cancel();',
    replace: 'return () => undefined;',
    caughtBy: { figure: 'S22', within: 1 },
  },
  {
    id: 'I-10',
    story: 'What was kept for jobs that are long over grows for as long as the process lives.',
    file: 'src/jobs/tracker.ts',
    find: 'jobs.remove(job.promptId, job);',
    replace: `jobs.remove(job.promptId, job);
      ((desk as { gone?: unknown[] }).gone ??= []).push(job);`,
    caughtBy: { figure: 'S22', within: 20 },
  },
  {
    id: 'L7',
    story: 'Delays that are drawn beside the seed make a failure that nobody can play again.',
    file: 'src/socket/reconnect.ts',
    find: 'backoff(attempt, platform.random())',
    replace: 'backoff(attempt, Math.random())',
    caughtBy: { figure: 'S25', within: 50 },
  },
];
