import { type Dialect, startEmulator } from '../../src/emulator/index.js';
import { answering } from '../tools/answering.js';

const acceptKeys = ['comfyui-first-0123456789', 'comfyui-other-0123456789'] as const;
const [apiKey, otherKey] = acceptKeys;

answering(async (dialect: Dialect) => {
  const { baseUrl, wsUrl } = await startEmulator(
    dialect === 'local'
      ? { dialect, speed: Infinity }
      : { speed: Infinity, concurrency: 'unlimited', acceptKeys },
  );
  return { baseUrl, wsUrl, apiKey, otherKey };
});
