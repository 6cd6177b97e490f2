import { canaryKey } from '../helpers/canaries.js';
import type { Figure, Range, Tally } from './figure.js';
import { startServer } from './sizes/processes.js';

const mostMs = 100;

/** Texts of the largest bodies that a gateway takes by default, 16 MiB or 100,000 values, each hard to read in another way. */
const bodies: Readonly<Record<string, () => string>> = {
  'one picture': () => submissionOf({ 1: node({ image: 'QUJD'.repeat((4 - 0.1) * mebi) }) }),
  escapes: () => submissionOf({ 1: node({ text: 'a\n"'.repeat(2.5 * mebi) }) }),
  digits: () => submissionOf({ 1: node({ text: '1234567890123456'.repeat((1 - 0.1) * mebi) }) }),
  'many nodes': () =>
    submissionOf(
      Object.fromEntries(
        Array.from({ length: 14_000 }, (_, at) => [
          at,
          node({ text: 'x'.repeat(1_100), from: [String(at), 0] }),
        ]),
      ),
    ),
};

const mebi = 2 ** 20;
const node = (inputs: object) => ({ class_type: 'X', inputs });
const submissionOf = (workflow: object): string => JSON.stringify({ workflow });

/** The longest turn of a gateway's event loop, in which nobody else is served. */
export const loopTurns: Figure = {
  id: 'loop-turns',
  what: `the largest workflows that a gateway takes by default (16 MiB, 100,000 values): ${Object.keys(bodies).join(', ')}, in turn (gateway and service in processes of their own); the time of the processor that the gateway's thread uses between two turns`,
  target: `longest turn of the gateway's event loop ≤ ${mostMs} ms, every workflow taken`,
  count: 8,
  splits: false,
  isAlone: true,
  run: (range) => measure(range),
  shortfalls: ({ counts }) =>
    (counts['longest turn, ms'] ?? 0) <= mostMs
      ? []
      : [`a turn took ${counts['longest turn, ms']!.toFixed(0)} ms of the processor`],
};

const measure = async ({ count }: Range): Promise<Tally> => {
  await using service = await startServer(new URL('sizes/preview-server.ts', import.meta.url), [
    '0',
    '4',
    '1',
  ]);
  await using gateway = await startServer(new URL('gateway/serve-program.ts', import.meta.url), [
    ...[service.address, '', canaryKey('of-loop-turns')],
  ]);
  const submit = async (body: string): Promise<number> => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${gateway.address}/api/v2/jobs`, { method: 'POST', headers, body });
    await answer.text();
    return answer.status;
  };
  // The code is compiled by then.
  for (let nth = 0; nth < 20; nth += 1) await submit(submissionOf({ 1: node({ text: 'x'.repeat(1_000) }) }));
  await gateway.ask('turns');
  const problems: string[] = [];
  const texts = Object.entries(bodies);
  for (let nth = 0; nth < count; nth += 1) {
    const [name, body] = texts[nth % texts.length]!;
    const status = await submit(body());
    if (status !== 201) problems.push(`${name}: ${status}; npm run scoreboard -- loop-turns`);
  }
  const longest = await gateway.ask<number>('longest turn');
  return { counts: { workflows: count, 'longest turn, ms': longest }, problems };
};
