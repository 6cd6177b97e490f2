import { describe, expect, it } from 'vitest';
import { startEmulator } from '../../src/emulator.js';

describe('options that no emulator can have', () => {
  it.each([
    [{ profile: 'default' }, "profile is 'default'; it takes interface, 2026, 2026-11"],
    [{ profile: '__proto__' }, "profile is '__proto__'; it takes interface, 2026, 2026-11"],
    [{ tier: 'gold' }, "tier is 'gold'; it takes free, standard, creator, pro"],
    [{ dialect: 'Local' }, "dialect is 'Local'; it takes cloud, local, v2"],
    [{ billing: 'late' }, "billing is 'late'; it takes active, no credits, inactive"],
    [{ port: 'abc' }, 'port is abc; it takes an integer from 0 to 65535'],
    [{ port: -1 }, 'port is -1; it takes an integer from 0 to 65535'],
    [{ port: 70_000 }, 'port is 70000; it takes an integer from 0 to 65535'],
    [{ seed: Number.NaN }, 'seed is NaN; it takes an integer'],
    [{ profil: '2026' }, 'startEmulator has no option profil'],
    [{ switches: { histroy: 'flat' } }, 'switches has no histroy'],
    [{ switches: { history: 'nested' } }, "switches.history is 'nested'; it takes flat, keyed"],
    [{ switches: { queueLimit: '5' } }, "switches.queueLimit is '5'; it takes a number from 0"],
    [
      { switches: { recordDelayMs: 'long' } },
      "switches.recordDelayMs is 'long'; it takes random, or a finite number from 0",
    ],
    [
      { switches: { recordDelayMs: Infinity } },
      'switches.recordDelayMs is Infinity; it takes random, or a finite number from 0',
    ],
    [{ switches: { signedUrlMs: NaN } }, 'switches.signedUrlMs is NaN; it takes a number from 0'],
    [
      { without: ['tier:gold'] },
      "without has 'tier:gold', which is no row of the interface; see interfaceRows",
    ],
    [{ acceptKeys: 'key' }, 'acceptKeys takes a list of keys, each a text of one character or more'],
    [{ acceptKeys: ['key', ''] }, 'acceptKeys takes a list of keys, each a text of one character or more'],
  ])('are refused by name: %j', async (options, message) => {
    await expect(startEmulator(options as never)).rejects.toThrow(new RangeError(message));
  });

  it('are not those that are absent', async () => {
    await using emulator = await startEmulator({
      profile: undefined,
      tier: undefined,
      switches: {},
    });
    expect(emulator.dialect).toBe('cloud');
  });
});
