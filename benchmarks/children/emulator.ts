import { type Dialect, startEmulator } from '../../src/emulator.js';
import { answering } from '../tools/answering.js';
import type { ServiceKind } from '../tools/emulator.js';

const acceptKeys = ['comfyui-first-0123456789', 'comfyui-other-0123456789'] as const;
const [apiKey, otherKey] = acceptKeys;

interface Question extends ServiceKind {
  readonly dialect: Dialect;
}

answering(async ({ dialect, recordDelayMs = 0, profile, engine }: Question) => {
  const { baseUrl, wsUrl } = await startEmulator(
    dialect === 'local'
      ? { dialect, speed: Infinity, switches: { recordDelayMs }, ...(engine && { engine }) }
      : { speed: Infinity, concurrency: 'unlimited', acceptKeys, ...(profile && { profile }) },
  );
  return { baseUrl, wsUrl, apiKey, otherKey };
});
