import { lastValueFrom } from 'rxjs';
import { createPool } from 'promptwire/pool';
import { startEmulator, textToImageWorkflow } from 'promptwire/emulator';

const engines = await Promise.all(
  [1, 2].map(() => startEmulator({ dialect: 'local', engine: 'latest', speed: Infinity })),
);
const pool = createPool({
  servers: engines.map(({ baseUrl }, index) => ({ baseUrl, dialect: 'local', name: `engine ${index}` })),
});
const workflow = textToImageWorkflow({ width: 64, height: 64, steps: 2 });
const { phase, server } = await lastValueFrom(pool.run(workflow));
const { files } = await lastValueFrom(pool.generate(workflow));
await pool.close();
for (const engine of engines) await engine.close();
console.log(phase, server, files.length);
