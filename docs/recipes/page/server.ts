// Serves the page that is built into the file of the first argument, and the gateway that it talks to, at http://127.0.0.1:8080.
import { connect, picture } from '../service.js';
import { createGateway } from 'promptwire/gateway';
import { getSignedCookie, setSignedCookie } from 'hono/cookie';
import { Hono } from 'hono';
import { parseSigned } from 'hono/utils/cookie';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { serve } from '@hono/node-server';

// A signed cookie names each visitor, who has jobs of their own. Keep the secret, so that visitors stay known after a restart.
const secret = process.env['SESSION_SECRET'] ?? randomUUID();
const visitorOf = async (request: Request) => {
  const { visitor } = await parseSigned(request.headers.get('cookie') ?? '', secret, 'visitor');
  return typeof visitor === 'string' ? { name: visitor } : undefined;
};
const { client } = await connect();
const gateway = createGateway({ client, authorize: visitorOf, templates: { picture } });
const script = readFileSync(process.argv[2]!, 'utf8');
const page =
  '<!doctype html><link rel=icon href=data:,><main></main><script type=module src=/page.js></script>';

const app = new Hono();
app.get('/', async (context) => {
  if (typeof (await getSignedCookie(context, secret, 'visitor')) !== 'string')
    await setSignedCookie(context, 'visitor', randomUUID(), secret, { httpOnly: true, sameSite: 'Lax' });
  return context.html(page);
});
app.get('/page.js', (context) => context.body(script, 200, { 'content-type': 'text/javascript' }));
app.all('*', (context) => gateway.fetch(context.req.raw));
serve({ fetch: app.fetch, port: Number(process.env['PORT'] ?? 8080), hostname: '127.0.0.1' });
