import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { isMainThread } from 'node:worker_threads';

/**
 * Comes into a process before its program (`--import`), and measures the turns of its event loop. Who connects to the socket at the path in
 * `TURNS_AT` gets the milliseconds of the longest turn since the last one who did.
 */
const path = process.env['TURNS_AT'];

/** Milliseconds of the processor that this thread has used: other programs of a busy machine take nothing of them, nor do other threads. */
const usedMs = (): number => {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
  } catch {
    // Elsewhere than on Linux those of all threads.
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
};

const watch = (at: string): void => {
  let longestMs = 0;
  let usedBefore = usedMs();
  const measure = (): void => {
    const used = usedMs();
    longestMs = Math.max(longestMs, used - usedBefore);
    usedBefore = used;
  };
  setInterval(measure, 1).unref();
  createServer((socket) => {
    measure();
    socket.on('error', () => undefined).end(String(longestMs));
    longestMs = 0;
  })
    .listen(at)
    .unref();
};

if (isMainThread && path !== undefined) watch(path);
