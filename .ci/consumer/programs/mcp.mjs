import { createClient } from 'promptwire';
import { createMcp } from 'promptwire/mcp';

// The SDK is an optional peer, and this project does not install it.
const client = createClient({ baseUrl: 'http://127.0.0.1:1', dialect: 'local' });
const error = await createMcp({ client }).catch((rejected) => rejected);
console.log(error._tag, error.message);
await client.close();
