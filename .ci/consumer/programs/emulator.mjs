import { startEmulator } from 'promptwire/emulator';

const emulator = await startEmulator();
const answer = await fetch(`${emulator.baseUrl}/api/user`, { headers: { 'X-API-Key': emulator.apiKey } });
console.log(answer.status);
await emulator.close();
