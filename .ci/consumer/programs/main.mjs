import { createClient, decodeFrame } from 'promptwire';
import { startEmulator, textToImageWorkflow } from 'promptwire/emulator';
import { lastValueFrom } from 'rxjs';

const emulator = await startEmulator({ speed: Infinity });
const client = createClient(emulator);
const state = await lastValueFrom(client.run(textToImageWorkflow({ width: 64, height: 64, steps: 2 })));
await client.close();
await emulator.close();
console.log(state.phase, decodeFrame('{')._tag);
