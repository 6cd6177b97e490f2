// Four engines as one: each job goes where it ends soonest, and an engine that fails gives its jobs back.
// With SERVERS the engines are yours, as those of `promptwire emulate --dialect local --engines 4`; without, four are played here.
import { createPool } from 'promptwire/pool';
import { filter, lastValueFrom, tap, toArray } from 'rxjs';
import { isTerminal } from 'promptwire';
import { startEmulator, textToImageWorkflow } from 'promptwire/emulator';

const named = process.env['SERVERS']?.trim().split(/\s+/u);
const engines =
  named === undefined
    ? await Promise.all(
        [1, 2, 3, 4].map((seed) =>
          startEmulator({
            ...{ dialect: 'local', seed, speed: 20 * seed, machine: { loadMsPerGiB: 200 } },
          }),
        ),
      )
    : [];
const urls = named ?? engines.map(({ baseUrl }) => baseUrl);
const pool = createPool({
  servers: urls.map((baseUrl, index) => ({ baseUrl, dialect: 'local', name: `engine-${index + 1}` })),
});

const workflows = Array.from({ length: 24 }, (_, seed) =>
  textToImageWorkflow({ prompt: 'hills', seed, steps: 3, width: 64, height: 64 }),
);
const ended = await lastValueFrom(
  pool.runAll(workflows).pipe(
    filter(({ state }) => isTerminal(state.phase)),
    tap(({ index, state }) =>
      console.log(`job ${index}: ${state.phase} on ${state.server ?? 'no engine'}, attempt ${state.attempt}`),
    ),
    toArray(),
  ),
);
const completed = ended.filter(({ state }) => state.phase === 'completed');
console.log(`${completed.length} of ${workflows.length} jobs are completed, on ${urls.length} engines`);

await pool.close();
await Promise.all(engines.map((engine) => engine.close()));
