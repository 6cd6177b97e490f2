import { http, type HttpHandler } from 'msw';
import type { FormPart, HttpRequest, HttpResponse, Platform } from '../../core/platform/platform.js';
import { storageHost } from '../service/service-answers.js';

/** Handlers of the service's routes and of the storage that its views redirect to. */
export const restHandlers = (baseUrl: string, send: Platform['request']): readonly HttpHandler[] =>
  [`${baseUrl}/api/*`, `https://${storageHost}/*`].map((path) =>
    http.all(path, async ({ request }) => {
      if (!isMethod(request.method)) return new Response(null, { status: 405 });
      try {
        const answer = await send({ ...(await asked(request)), method: request.method });
        return await responseOf(answer);
      } catch {
        // The scripted network failed: the page sees a request without an answer.
        return Response.error();
      }
    }),
  );

const isMethod = (method: string): method is HttpRequest['method'] =>
  ['GET', 'HEAD', 'POST', 'DELETE'].includes(method);

/** The request as the service in memory takes it. */
const asked = async (request: Request): Promise<Omit<HttpRequest, 'method'>> => {
  const headers = Object.fromEntries(request.headers);
  const common = { url: request.url, headers, signal: request.signal };
  if (request.headers.get('content-type')?.startsWith('multipart/form-data') === true) {
    const form = [...(await request.formData())].map(([name, value]): FormPart =>
      typeof value === 'string' ? { name, value } : { name, filename: value.name, content: value },
    );
    return { ...common, form };
  }
  const text = request.method === 'POST' ? await request.text() : '';
  return text === '' ? common : { ...common, json: text };
};

const responseOf = async ({ status, headers, body }: HttpResponse): Promise<Response> => {
  const chunks: BlobPart[] = [];
  for await (const chunk of body) chunks.push(new Uint8Array(chunk));
  return new Response(chunks.length === 0 ? null : new Blob(chunks), { status, headers });
};
