import { afterAll } from 'vitest';
import { emulatorTarget } from './emulator-target.js';
import { conformanceSuite } from './suite.js';

for (const profile of ['interface', '2026'] as const) {
  const target = await emulatorTarget({ profile });
  afterAll(() => target[Symbol.asyncDispose]());
  conformanceSuite(target);
}
