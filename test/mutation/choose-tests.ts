import { mirrorOf } from './config.js';
import type { FilePlan, Played } from './player.js';

/** Which tests may find a mutant, the cheapest files first; a file that has just found one goes before. */
export class ChooseTests {
  private readonly ran: [string, Played['ran'][string]][];
  private last = '';

  constructor(ran: Played['ran']) {
    this.ran = Object.entries(ran);
  }

  /** The tests during which a function ran; those of the whole file where it ran outside of tests, or is the module itself. */
  for(module: string, number: number): readonly FilePlan[] {
    const name = `${module}#${number}`;
    const mirror = mirrorOf(module);
    return this.ran
      .flatMap(([file, { outside, tests }]) => {
        const all = Object.entries(tests);
        const chosen = all.filter(([, { hits }]) => hits.includes(name));
        const isWhole = outside.hits.includes(name) || (number === 0 && chosen.length > 0);
        if (!isWhole && chosen.length === 0) return [];
        const played = isWhole ? all : chosen;
        const cost = played.reduce((sum, [, { ms }]) => sum + ms, 0);
        const testMs = Object.fromEntries(played.map(([index, { ms }]) => [index, ms]));
        const order = file === this.last ? -1 : file === mirror ? 0 : 1 + cost;
        return [{ file, tests: played.map(([index]) => Number(index)), testMs, order }];
      })
      .toSorted((one, other) => one.order - other.order)
      .map(({ file, tests, testMs }) => ({ file, tests, testMs }));
  }

  found(file: string): void {
    this.last = file;
  }
}
