import { setTimeout } from 'node:timers/promises';
import { startEmulator, type Emulator, type EmulatorOptions } from '../../src/emulator.js';
import { api } from '../../src/testing/conformance/api.js';
import { standardWorkflows } from '../../src/testing/conformance/sample-workflows.js';
import type { DisposableTarget, Profile, Target } from '../../src/testing/conformance/target.js';

/**
 * An emulator as a target of the suite, with every power that the suite knows. A step takes a millisecond: at once, a job that runs on
 * would take the whole processor.
 */
export const emulatorTarget = async (
  options: EmulatorOptions & { readonly profile: Profile },
  patienceMs = 20_000,
): Promise<DisposableTarget> => {
  const emulator = await startEmulator({ acceptKeys: ['key-one', 'key-two'], speed: 50, ...options });
  const again = (more: EmulatorOptions): Promise<DisposableTarget> =>
    emulatorTarget({ ...options, ...more, profile: options.profile }, patienceMs);
  return {
    ...addressesOf(emulator),
    name: `the emulator, profile ${options.profile}`,
    profile: options.profile,
    tier: options.tier ?? 'creator',
    patienceMs,
    pause: () => setTimeout(2),
    workflows: standardWorkflows('scenery-v1.safetensors'),
    strangerKey: 'key-two',
    otherTier: (tier) => again({ tier }),
    smallQueue: async () => ({
      ...(await again({ switches: { ...options.switches, queueLimit: 2 } })),
      queueLimit: 2,
    }),
    shortLinks: () => again({ switches: { ...options.switches, signedUrlMs: 0 } }),
    billing: emulator.setBilling,
    forbid: (code) => emulator.setFaults(code === undefined ? [] : [{ on: 'account', do: 'forbid', code }]),
    crash: (target) =>
      api(target, 'POST', '/api/prompt', {
        body: { prompt: target.workflows.picture(), extra_data: { emulate: { status: 500 } } },
      }),
    [Symbol.asyncDispose]: emulator.close,
  };
};

const addressesOf = ({ baseUrl, wsUrl, apiKey }: Emulator): Pick<Target, 'baseUrl' | 'wsUrl' | 'apiKey'> => ({
  baseUrl,
  wsUrl,
  apiKey,
});
