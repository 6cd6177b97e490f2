import { describe, expect, it } from 'vitest';
import { jsonLines } from './helpers/json-lines.js';
import { startCli } from './helpers/start-cli.js';
import { workspace } from './helpers/workspace.js';

const gibibyte = 2 ** 30;
const local = ['emulate', '--dialect', 'local'];

describe('promptwire emulate --machines', () => {
  it('plays an engine for each machine of the file, over and over with --engines', async () => {
    const { file } = await workspace();
    const machines = await file('machines.json', [
      { speed: 2, memory: 8 * gibibyte, models: { 'small.safetensors': { loadMs: 500 } }, loadMsPerGiB: 100 },
      { memory: 24 * gibibyte, faults: [{ on: 'engine', do: 'kill', atMs: 86_400_000 }] },
    ]);
    for (const [more, memories] of [
      [[], [8, 24]],
      [
        ['--engines', '3'],
        [8, 24, 8],
      ],
    ] as const) {
      const running = startCli([...local, '--json', '--machines', machines, ...more]);
      await running.printed('\n');
      const baseUrls = jsonLines(running.stdout())[0]?.['baseUrls'] as readonly string[];
      const asked = await Promise.all(baseUrls.map((baseUrl) => fetch(`${baseUrl}/system_stats`)));
      const stats = await Promise.all(
        asked.map(
          (answer) =>
            answer.json() as Promise<{ readonly devices: readonly { readonly vram_total: number }[] }>,
        ),
      );
      expect(stats.map(({ devices }) => devices[0]?.vram_total)).toEqual(
        memories.map((gib) => gib * gibibyte),
      );
      const models = await fetch(`${baseUrls[0]}/models/checkpoints`);
      expect(await models.json()).toEqual(['small.safetensors']);
      running.signal('SIGINT');
      expect(await running.exit).toBe(0);
    }
  });

  it.each([
    [{}, 'takes a list with an object for each engine'],
    [[], 'takes a list with an object for each engine'],
    [[{}, 5], '[1] takes an object'],
    [[{ speed: 0 }], '[0].speed takes a number above 0'],
    [[{ memory: 'much' }], "machine.memory is 'much'"],
    [[{ vram: 1 }], 'machine has no vram'],
    [[{ faults: [{ on: 'engine', do: 'explode' }] }], '[0].faults[0].do: on engine it takes kill, freeze'],
  ])('says what is wrong with %j', async (machines, problem) => {
    const { file } = await workspace();
    const running = startCli([...local, '--machines', await file('machines.json', machines)]);
    expect(await running.exit).toBe(2);
    expect(running.stderr()).toContain(problem);
  });

  it('is for local servers, without --exec', async () => {
    const { file } = await workspace();
    const machines = await file('machines.json', [{}]);
    for (const [argv, problem] of [
      [['emulate', '--machines', machines], '--dialect local'],
      [[...local, '--machines', machines, '--exec', 'true'], 'leave --machines out'],
    ] as const) {
      const running = startCli(argv);
      expect(await running.exit).toBe(2);
      expect(running.stderr()).toContain(problem);
    }
  });
});
