import { assertLockVersion, lockVersion } from '../../../src/server/queue/engine/bullmq-lock.js';
import { expect, it } from 'vitest';

it.each([`bullmq:${lockVersion}.7.0`, `bullmq-pro:${lockVersion}.0.0`])('Q5 takes BullMQ %s', (version) => {
  expect(() => assertLockVersion({ metaValues: { version } })).not.toThrow();
});

it.each([
  ['bullmq:7.0.1', '7.0.1'],
  ['bullmq:5.99.0', '5.99.0'],
  [undefined, 'undefined'],
] as const)(
  'Q5 refuses BullMQ %s, whose lock may be elsewhere, and says what to install',
  (version, named) => {
    const metaValues: Readonly<Record<string, string>> = version === undefined ? {} : { version };
    expect(() => assertLockVersion({ metaValues })).toThrow(
      expect.objectContaining({
        _tag: 'InvalidConfig',
        option: 'connection',
        message: `A queue works by BullMQ 6, and BullMQ ${named} is installed.`,
        hint: 'Install it: npm install bullmq@6',
      }),
    );
  },
);
