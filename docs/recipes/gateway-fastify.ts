// A gateway below a path of a Fastify app, as a plugin whose requests keep their bodies unread.
import { bearerTokens, createGateway } from 'promptwire/gateway';
import { connect } from './service.js';
import Fastify, { type FastifyPluginCallback } from 'fastify';
import { toNodeHandler } from 'promptwire/gateway/node';
import { visit } from './visitor.js';

const token = process.env['GATEWAY_TOKEN'] ?? 'the-token-of-a-demonstration';
const { client, close } = await connect();
const gateway = createGateway({ client, authorize: bearerTokens({ web: token }), mount: '/comfy' });
const handle = toNodeHandler(gateway);

const gatewayPlugin: FastifyPluginCallback = (scope, _options, done) => {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _body, parsed) => parsed(null));
  scope.all('/*', async (request, reply) => {
    reply.hijack();
    await handle(request.raw, reply.raw);
  });
  done();
};

// Longer than a load balancer keeps connections, and no bound for uploads that move.
const app = Fastify({ requestTimeout: 0, keepAliveTimeout: 75_000 });
app.get('/', () => 'an app with a gateway');
app.register(gatewayPlugin, { prefix: '/comfy' });

const address = await app.listen({ port: Number(process.env['PORT'] ?? 0), host: '127.0.0.1' });
console.log(`listening on ${address}`);

// One visitor, so that this program shows something and ends; `PORT=8080` keeps it serving.
if (process.env['PORT'] === undefined) {
  await visit(`${address}/comfy`, token);
  await gateway.close();
  await app.close();
  await close();
}
