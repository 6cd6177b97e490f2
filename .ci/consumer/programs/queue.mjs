import { createJobQueue } from 'promptwire/queue';

// The engine and its client are optional peers, and this project installs none of them.
const queue = createJobQueue({ connection: 'redis://127.0.0.1:1', name: 'studio' });
const error = await queue.add({}).catch((rejected) => rejected);
console.log(error._tag, error.message);
await queue.close();
