import { createClient } from 'promptwire/promises';
import { startEmulator, textToImageWorkflow } from 'promptwire/emulator';

const emulator = await startEmulator({ speed: Infinity });
const client = createClient(emulator);
const job = await client.submit(textToImageWorkflow({ width: 64, height: 64, steps: 2 }));
let last;
for await (const { phase } of job) last = phase;
const outputs = await job.outputs();
await client.close();
await emulator.close();
console.log(last, Object.keys(outputs).length);
