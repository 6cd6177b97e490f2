import { batchView } from '../../../src/cli/terminal/batch-view.js';
import { describe, expect, it } from 'vitest';
import { paint } from '../../../src/cli/terminal/line.js';
import { poolServer } from '../helpers/pool-server.js';
import { serversView } from '../../../src/cli/terminal/servers-view.js';

const textOf = (lines: ReturnType<typeof serversView>): readonly string[] =>
  lines.map((line) => paint(line, { colour: false }));

describe('the view of many jobs', () => {
  const running = (file: string, server: string, progress: number) =>
    ({ file, server, progress, phase: 'in_progress' }) as const;
  const jobs = [
    { file: 'a.json', phase: 'completed', progress: 1, server: 'one' },
    running('b.json', 'one', 0.5),
    running('c.json', 'two', 0.25),
    { file: 'd.json', phase: 'pending', progress: 0, server: 'two' },
    { file: 'e.json', phase: 'submitting', progress: 0 },
  ] as const;

  it('has a line for each job that a server has, and counts the others', () => {
    const lines = textOf(batchView(jobs, { of: 7, columns: 60, maxJobs: 9 }));
    expect(lines[0]).toBe('1 of 7 jobs over, 3 to come');
    expect(lines.slice(1).map((line) => line.split(/\s+/u).slice(1, 4))).toEqual([
      ['b.json', 'one', '50'],
      ['c.json', 'two', '25'],
      ['d.json', 'two', 'waits'],
    ]);
  });

  it('draws them in columns, with a bar for what runs', () => {
    const lines = textOf(batchView(jobs.slice(1, 4), { of: 3, columns: 60, maxJobs: 9 }));
    const line = (file: string, server: string, rest: string): string =>
      `  ${file.padEnd(18)} ${server.padEnd(18)}${rest}`;
    expect(lines).toEqual([
      '0 of 3 jobs over',
      line('b.json', 'one', '  50 % ██████▌░░░░░░'),
      line('c.json', 'two', '  25 % ███▎░░░░░░░░░'),
      line('d.json', 'two', '  waits'),
    ]);
    // Too narrow for a bar.
    expect(textOf(batchView(jobs.slice(1, 2), { of: 1, columns: 30, maxJobs: 9 }))[1]).toBe(
      `  ${'b.json'.padEnd(9)} ${'one'.padEnd(9)}  50 %`,
    );
    expect(textOf(batchView(jobs.slice(1, 2), { of: 1, columns: 10, maxJobs: 9 }))[1]).toBe(
      `  ${'b.json'.padEnd(8)} ${'one'.padEnd(8)}  50 %`,
    );
  });

  it.each(['completed', 'failed', 'cancelled', 'untraceable', 'unknown'] as const)(
    'counts a job as over that is %s',
    (phase) => {
      const job = { file: 'a.json', phase, progress: 0, server: 'one' };
      expect(textOf(batchView([job], { of: 1, columns: 60, maxJobs: 9 }))).toEqual(['1 of 1 job over']);
    },
  );

  it('counts a job as held by a server from its submission on', () => {
    const job = (phase: 'submitting' | 'pending', server?: string) => ({
      ...{ file: 'a.json', phase, progress: 0 },
      ...(server !== undefined && { server }),
    });
    const view = (one: ReturnType<typeof job>) =>
      textOf(batchView([one], { of: 1, columns: 60, maxJobs: 9 }));
    expect(view(job('submitting'))).toEqual(['0 of 1 job over, 1 to come']);
    expect(view(job('submitting', 'one'))).toHaveLength(2);
    expect(view(job('pending'))).toHaveLength(2);
  });

  it('takes out what acts on a terminal, and cuts long names', () => {
    const job = {
      file: `\u001B[2J${'x'.repeat(40)}`,
      phase: 'pending',
      progress: 0,
      server: '\u202Eone',
    } as const;
    const [, line] = textOf(batchView([job], { of: 1, columns: 60, maxJobs: 9 }));
    expect(line).toBe(`  ${'x'.repeat(17)}… ${'one'.padEnd(18)}  waits`);
  });

  it('stays within the terminal', () => {
    const lines = textOf(batchView(jobs, { of: 7, columns: 40, maxJobs: 2 }));
    expect(lines).toHaveLength(3);
    expect(lines.at(-1)).toBe('  and 2 more');
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(40);
  });
});

describe('the table of servers', () => {
  it('tells of each whether it is there, its jobs, memory and models', () => {
    const lines = textOf(
      serversView([
        poolServer(),
        poolServer({
          name: 'cellar',
          health: 'down',
          mode: 'draining',
          running: 0,
          memory: undefined,
          models: [],
        }),
      ]),
    );
    expect(lines.map((line) => line.split(/ {2,}/u))).toEqual([
      ['SERVER', 'STATE', 'RUNS', 'WAIT', 'DONE', 'FAILED', 'MEMORY', 'MODELS'],
      ['attic', 'up', '1', '0', '3', '0', '2.0 GB of 8.0 GB free', 'scenery-v1.safetensors'],
      ['cellar', 'down, draining', '0', '0', '3', '0', '-', '-'],
    ]);
  });

  it('puts numbers to the right of their columns, and no column beyond 32', () => {
    const servers = [
      poolServer({ name: 'a', running: 10, models: ['m'.repeat(20), 'n'.repeat(20)] }),
      poolServer({ name: `\u001B[2J${'x'.repeat(40)}`, running: 5, waiting: 123_456 }),
    ];
    const [head, first, second] = textOf(serversView(servers));
    const columns = (...cells: readonly string[]): string => cells.join('  ').trimEnd();
    const [name, models] = [`${'x'.repeat(31)}…`, `${'m'.repeat(20)}, ${'n'.repeat(9)}…`];
    const memory = '2.0 GB of 8.0 GB free';
    expect(head).toBe(
      columns(
        'SERVER'.padEnd(32),
        'STATE',
        'RUNS',
        '  WAIT',
        'DONE',
        'FAILED',
        'MEMORY'.padEnd(21),
        'MODELS',
      ),
    );
    expect(first).toBe(columns('a'.padEnd(32), 'up   ', '  10', '     0', '   3', '     0', memory, models));
    expect(second).toBe(
      columns(name, 'up   ', '   5', '123456', '   3', '     0', memory, 'scenery-v1.safetensors'),
    );
  });

  it('marks servers that are down or refuse', () => {
    const styleOf = (health: 'up' | 'down' | 'refusing') => serversView([poolServer({ health })])[1]?.[0];
    expect([styleOf('down'), styleOf('refusing')]).toMatchObject([{ style: 'red' }, { style: 'red' }]);
    expect(styleOf('up')).toMatchObject({ style: undefined });
    expect(serversView([])[0]?.[0]).toMatchObject({ style: 'bold' });
  });
});
