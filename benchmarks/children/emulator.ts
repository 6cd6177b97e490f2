import { type Dialect, startEmulator } from '../../src/emulator/index.js';
import { answering } from '../tools/answering.js';

answering(async (dialect: Dialect) => {
  const { baseUrl, wsUrl, apiKey } = await startEmulator(
    dialect === 'local' ? { dialect, speed: Infinity } : { speed: Infinity, concurrency: 'unlimited' },
  );
  return { baseUrl, wsUrl, apiKey };
});
