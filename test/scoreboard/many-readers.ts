import { startEmulator } from '../../src/emulator.js';
import type { Figure, Range, Tally } from './figure.js';
import type { ManyReaders } from './gateway/read-program.js';
import { askProgram, startServer } from './sizes/processes.js';

const mostJobs = 50;

/** Many readers of few jobs by one upstream socket. */
export const manyReaders: Figure = {
  id: 'many-readers',
  what: `2,000 readers of ${mostJobs} jobs on sockets of their own, in two other processes: of one job in either vocabulary, SSE and NDJSON, and of all`,
  target: 'each gets the terminal state of its job; one socket between the gateway and the service',
  count: 2_000,
  splits: false,
  isAlone: true,
  run: (range) => readTogether(range),
  shortfalls: ({ counts }, count) =>
    counts['saw the end'] === count ? [] : [`${counts['saw the end'] ?? 0} of ${count} readers saw the end`],
};

/** Reads with so many readers at once. */
export const readTogether = async ({ count }: Range): Promise<Tally> => {
  const jobs = Math.max(1, Math.min(mostJobs, Math.floor(count / 10)));
  await using emulator = await startEmulator({ concurrency: 5, speed: 2 });
  const { baseUrl, wsUrl, apiKey } = emulator;
  await using gateway = await startServer(new URL('gateway/serve-program.ts', import.meta.url), [
    ...[baseUrl, wsUrl, apiKey],
  ]);
  const ids = await Promise.all(
    Array.from({ length: jobs }, async (_, nth) => {
      const workflow = { 1: { class_type: 'SlowNode', inputs: { steps: 40, anything: nth } } };
      const response = await fetch(`${gateway.address}/api/v2/jobs`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ workflow }),
      });
      const { id } = (await response.json()) as { readonly id?: unknown };
      return String(id);
    }),
  );
  const program = new URL('gateway/read-program.ts', import.meta.url);
  const halves = [Math.ceil(count / 2), Math.floor(count / 2)].filter((half) => half > 0);
  const answers = await Promise.all(
    halves.map((half) => askProgram<ManyReaders>(program, [gateway.address, ids.join(','), String(half)])),
  );
  const sockets = emulator.ledger.sockets.length;
  const sum = (of: (answer: ManyReaders) => number): number => answers.reduce((all, one) => all + of(one), 0);
  return {
    counts: {
      readers: sum(({ readers }) => readers),
      jobs: emulator.ledger.jobs.length,
      'saw the end': sum(({ ended }) => ended),
      'sockets of the service': sockets,
    },
    problems: [
      ...answers.flatMap(({ problems }) => problems),
      ...(sockets === 1 ? [] : [`${sockets} sockets of the service`]),
      ...(emulator.ledger.jobs.length === jobs
        ? []
        : [`${emulator.ledger.jobs.length} jobs of the service for ${jobs}`]),
    ].map((problem) => `${problem}; npm run scoreboard -- many-readers`),
  };
};
