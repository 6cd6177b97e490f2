import { describeWith, findProgram } from '../helpers/describe-with.js';
import { expect, it } from 'vitest';
import { watchedInAPage } from './watched-in-a-page.js';
import { reportRange } from './report-range.js';

describeWith('Chromium', findProgram('chromium'), () => {
  it('watched-in-a-page holds at a smaller count', async () => {
    const { problems, seen } = await reportRange(watchedInAPage, { from: 1, count: 20 });
    expect(problems).toEqual([]);
    expect(seen).toMatchObject({ leaks: [], warnings: [], unhandled: [] });
  });
});
