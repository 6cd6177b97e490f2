import { afterAll } from 'vitest';
import type { Switches } from '../../src/emulator.js';
import { some } from '../helpers/runs.js';
import { allCases } from '../../src/testing/conformance/all-cases.js';
import { applies } from '../../src/testing/conformance/conformance-case.js';
import { emulatorTarget } from './emulator-target.js';
import { conformanceSuite } from './suite.js';
import type { DisposableTarget } from '../../src/testing/conformance/target.js';

const targets: DisposableTarget[] = [];
for (const profile of ['interface', '2026', '2026-11'] as const) {
  const target = await emulatorTarget({ profile });
  afterAll(() => target[Symbol.asyncDispose]());
  targets.push(target);
}
for (const target of targets) {
  conformanceSuite(target, (id) => {
    const at = allCases.findIndex((one) => one.id === id);
    const fitting = targets.filter((one) => applies(one, allCases[at]!));
    return some(fitting, { every: fitting.length, turn: at }).includes(target);
  });
}

/** Facts that a service may decide otherwise without breaking a statement, and the chapters that they touch. */
const variants: readonly (readonly [switches: Partial<Switches>, chapters: RegExp])[] = [
  [{ executingEnd: 'empty' }, /^6\.(0|5)\./],
  [{ executingEnd: 'absent' }, /^6\.(0|5)\./],
  [{ queueDelete: 'pending' }, /^2\.(9|10)\./],
  [{ storageHeaders: 'tolerates' }, /^2\.7\./],
  [{ badToken: 'close' }, /^1\./],
  [{ historyLagMs: 20 }, /^(2\.6|8)\./],
  [{ promptText: true }, /^7\./],
  [{ validation: 'at pick-up' }, /^9\./],
];

for (const [switches, chapters] of variants) {
  const target = await emulatorTarget({ profile: 'interface', switches });
  afterAll(() => target[Symbol.asyncDispose]());
  conformanceSuite({ ...target, name: `the emulator with ${JSON.stringify(switches)}` }, (id) =>
    chapters.test(id),
  );
}
