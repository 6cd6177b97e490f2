import { describeWith, findProgram } from './programs.js';
import { expect, it } from 'vitest';
import { watchedInAPage } from '../scoreboard/watched-in-a-page.js';
import { reportRange } from '../scoreboard/report-range.js';

describeWith('Chromium', findProgram('chromium'), () => {
  it('watched-in-a-page holds at a smaller count', async () => {
    const { problems, seen } = await reportRange(watchedInAPage, { from: 1, count: 20 });
    expect(problems).toEqual([]);
    expect(seen).toMatchObject({ leaks: [], warnings: [], unhandled: [] });
  });
});
