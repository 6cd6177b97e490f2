// Serves the page that is built into the file of the first argument, and the gateway that it talks to, at http://127.0.0.1:8080.
import { connect, picture } from '../service.js';
import { createGateway } from 'promptwire/gateway';
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { toNodeHandler } from 'promptwire/gateway/node';

const { client } = await connect();
// All jobs are one visitor's here; elsewhere they are those of the user whom the session's cookie names.
const gateway = createGateway({ client, authorize: () => ({ name: 'visitor' }), templates: { picture } });
const page = `<!doctype html><link rel=icon href=data:,><main></main><script type=module>${readFileSync(process.argv[2]!, 'utf8')}</script>`;
createServer((request, response) => {
  if (request.url === '/') response.setHeader('content-type', 'text/html; charset=utf-8').end(page);
  else toNodeHandler(gateway)(request, response);
}).listen(Number(process.env['PORT'] ?? 8080), '127.0.0.1');
