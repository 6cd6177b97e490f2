import { describe, expect, it } from 'vitest';
import { budgetSeconds, type BoardRecord, type FigureRecord, renewed } from './records.js';
import { headlineOf, isInBudget, pageOf, textOf, totalOf, withHeadline } from './report.js';

const figure = (id: string, counts: Readonly<Record<string, number>>): FigureRecord => ({
  id,
  name: `name-of-${id.toLowerCase()}`,
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
  figure('S12', { lifecycles: 10_000, left: 0 }),
  figure('S8', { hits: 0 }),
  figure('S1', { schedules: 10_000, 'virtual hours': 684.2 }),
  figure('S6', { jobs: 110_000, lost: 0, wrong: 0, doubled: 0 }),
  figure('S7', { submissions: 10_000, duplicates: 0 }),
  figure('S5', { frames: 1_000_000, throws: 0 }),
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

  it('writes a page with the figures in their order, each cell whole', async () => {
    const rows = (await pageOf(whole)).split('\n').filter((line) => line.startsWith('| S'));
    expect(rows.map((line) => line.split('|')[1]?.trim())).toEqual(
      ['S1', 'S5', 'S6', 'S7', 'S8', 'S12'].map((id) => `${id} name-of-${id.toLowerCase()}`),
    );
    expect(rows[0]).toContain('what S1 is \\| of');
    expect(rows[0]).toContain('| met');
  });

  it('reports a miss, and the first ten problems', () => {
    const missed = {
      ...figure('S1', {}),
      problems: Array.from({ length: 12 }, (_, index) => `problem ${index}`),
    };
    const text = textOf(missed).split('\n');
    expect(text[0]).toMatch(/^S1 name-of-s1 +MISSED /u);
    expect(text).toHaveLength(12);
    expect(text.at(-1)).toContain('and 2 more');
    expect(totalOf(board([missed]))).toContain('missed: S1 name-of-s1');
  });

  it('renews the records of single figures, and leaves the others', () => {
    const { figures, seconds } = renewed(whole, [figure('S8', { hits: 3 }), figure('S9', {})]);
    expect(figures.map(({ id }) => id).sort()).toEqual(['S1', 'S12', 'S5', 'S6', 'S7', 'S8', 'S9']);
    expect(figures.find(({ id }) => id === 'S8')?.counts).toEqual({ hits: 3 });
    expect(seconds).toBe(60);
  });

  it('is a miss of its own where it takes too long', () => {
    expect(isInBudget(board([], budgetSeconds))).toBe(true);
    expect(isInBudget(board([], budgetSeconds + 1))).toBe(false);
    expect(totalOf(board([], budgetSeconds + 1))).toMatch(/^all +MISSED /u);
  });
});
