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
});
