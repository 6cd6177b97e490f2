import { type Dialect, type Profile, startEmulator } from '../../src/emulator.js';
import { answering } from '../tools/answering.js';

const acceptKeys = ['comfyui-first-0123456789', 'comfyui-other-0123456789'] as const;
const [apiKey, otherKey] = acceptKeys;

interface Question {
  readonly dialect: Dialect;
  readonly recordDelayMs?: number;
  readonly profile?: Profile;
}

answering(async ({ dialect, recordDelayMs = 0, profile }: Question) => {
  const { baseUrl, wsUrl } = await startEmulator(
    dialect === 'local'
      ? { dialect, speed: Infinity, switches: { recordDelayMs } }
      : { speed: Infinity, concurrency: 'unlimited', acceptKeys, ...(profile && { profile }) },
  );
  return { baseUrl, wsUrl, apiKey, otherKey };
});
