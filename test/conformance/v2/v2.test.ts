import { afterAll, describe, it } from 'vitest';
import { emulatorTarget } from '../../sdk/emulator-target.js';
import { isPlayable } from '../../sdk/scenario.js';
import { allV2Cases } from './all-v2-cases.js';

const target = await emulatorTarget();
afterAll(() => target[Symbol.asyncDispose]());

describe.concurrent(`conformance of ${target.name}, API v2`, () => {
  for (const { id, title, needs = [], run } of allV2Cases)
    if (isPlayable(target, needs)) it(`[${id}] ${title}`, () => run(target));
});
