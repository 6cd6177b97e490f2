import { describeWith, findProgram } from './programs.js';
import { expect, it } from 'vitest';
import { g9 } from '../scoreboard/g9.js';
import { reportRange } from '../scoreboard/report-range.js';

describeWith('Chromium', findProgram('chromium'), () => {
  it('G9 holds at a smaller count', async () => {
    const { problems, seen } = await reportRange(g9, { from: 1, count: 20 });
    expect(problems).toEqual([]);
    expect(seen).toMatchObject({ leaks: [], warnings: [], unhandled: [] });
  });
});
