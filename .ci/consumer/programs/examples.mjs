import { lastValueFrom } from 'rxjs';
import { createClient } from 'promptwire';
import { exampleWorkflows } from 'promptwire/examples';
import { startEmulator } from 'promptwire/emulator';

const emulator = await startEmulator({ speed: Infinity });
const client = createClient(emulator);
const { phase } = await lastValueFrom(client.run(exampleWorkflows['text-to-image'].workflow));
await client.close();
await emulator.close();
console.log(Object.keys(exampleWorkflows).length, phase);
