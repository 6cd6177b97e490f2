import { describe, expect, it } from 'vitest';
import { type BoardRecord, type FigureRecord, renewed } from './records.js';
import { headlineOf, pageOf, textOf, totalOf, withHeadline } from './report.js';

const figure = (id: string, counts: Readonly<Record<string, number>>): FigureRecord => ({
  id,
  group: 'client',
  what: `what ${id} is | of`,
  target: '0',
  counts,
  problems: [],
  seeds: '1–10',
  seconds: 1.25,
});

const board = (figures: readonly FigureRecord[], seconds = 60): BoardRecord => ({
  figures,
  seconds,
  versions: { promptwire: '0.1.0', node: 'v20.0.0', processor: 'a processor', cores: 2 },
});

const whole = board([
  figure('no-leaks', { lifecycles: 10_000, left: 0 }),
  figure('no-secret-shown', { hits: 0 }),
  figure('random-fault-schedules', { schedules: 10_000, 'virtual hours': 684.2 }),
  figure('true-outcomes', { jobs: 110_000, lost: 0, wrong: 0, doubled: 0 }),
  figure('no-duplicate-submissions', { submissions: 10_000, duplicates: 0 }),
  figure('hostile-frames', { frames: 1_000_000, throws: 0 }),
]);

describe('the report of the scoreboard', () => {
  it('has a headline of the figures that matter most', () => {
    expect(headlineOf(whole)).toBe(
      '10,000 random fault schedules · 684 hours of virtual time · 0 lost, 0 wrong and 0 doubled outcomes of 110,000 jobs · ' +
        '0 double submissions of 10,000 · 0 sockets or timers left after 10,000 jobs · 1,000,000 hostile frames, 0 throws · ' +
        'key found 0 times',
    );
    expect(headlineOf(board([]))).toContain('key found unknown times');
    expect(withHeadline('a\n\n> old random fault schedules\n\nb\n', whole)).toBe(
      `a\n\n> ${headlineOf(whole)}\n\nb\n`,
    );
  });

  it('writes a page with the figures of each group by name, each cell whole', async () => {
    const page = await pageOf(board([...whole.figures, { ...figure('takeover', {}), group: 'queue' }]));
    const names = page.split('\n').flatMap((line) => /^(?:## (.+?):|\| `(.+?)`)/u.exec(line)?.slice(1) ?? []);
    expect(names.filter(Boolean)).toEqual([
      'The client',
      'hostile-frames',
      'no-duplicate-submissions',
      'no-leaks',
      'no-secret-shown',
      'random-fault-schedules',
      'true-outcomes',
      'Workflow files',
      'The gateway',
      'The queue',
      'takeover',
      'Pools of servers',
    ]);
    const row = page.split('\n').find((line) => line.startsWith('| `no-leaks`'));
    expect(row).toContain('what no-leaks is \\| of');
    expect(row).toContain('| met');
  });

  it('reports a miss, and the first ten problems', () => {
    const missed = {
      ...figure('random-fault-schedules', {}),
      problems: Array.from({ length: 12 }, (_, index) => `problem ${index}`),
    };
    const text = textOf(missed).split('\n');
    expect(text[0]).toMatch(/^random-fault-schedules +MISSED /u);
    expect(text).toHaveLength(12);
    expect(text.at(-1)).toContain('and 2 more');
    expect(totalOf(board([missed]))).toContain('missed: random-fault-schedules');
  });

  it('renews the records of single figures, and leaves the others', () => {
    const { figures, seconds } = renewed(whole, [figure('no-secret-shown', { hits: 3 }), figure('new', {})]);
    expect(figures.map(({ id }) => id).sort()).toEqual([
      'hostile-frames',
      'new',
      'no-duplicate-submissions',
      'no-leaks',
      'no-secret-shown',
      'random-fault-schedules',
      'true-outcomes',
    ]);
    expect(figures.find(({ id }) => id === 'no-secret-shown')?.counts).toEqual({ hits: 3 });
    expect(seconds).toBe(60);
  });

  it('tells how long all took, and misses nothing by that: it depends on what else the machine does', () => {
    expect(totalOf(board([figure('no-leaks', {})], 6_000))).toBe('all  1 figures met | 6000 s');
  });
});
