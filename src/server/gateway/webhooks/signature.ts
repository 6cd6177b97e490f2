/** The headers that sign a message after Standard Webhooks. */
export interface SignedHeaders {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
}

/** The bytes of a secret: `whsec_` and 24 to 64 bytes as base64; undefined for any other text. */
export const secretBytes = (secret: string): Uint8Array<ArrayBuffer> | undefined => {
  const [, text] = /^whsec_([A-Za-z0-9+/]+={0,2})$/u.exec(secret) ?? [];
  const bytes = text === undefined ? undefined : fromBase64(text);
  return bytes !== undefined && bytes.length >= 24 && bytes.length <= 64 ? bytes : undefined;
};

/** Imports a secret as a key that signs and verifies. */
export const importSecret = (bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);

/** What a signature is of: the id, the time and the body, byte for byte. */
export const signedBytes = (
  id: string,
  timestamp: string,
  body: string | Uint8Array,
): Uint8Array<ArrayBuffer> => {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const content = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const all = new Uint8Array(head.length + content.length);
  all.set(head);
  all.set(content, head.length);
  return all;
};

/** Signs a message with each of the secrets, of which a receiver knows one at least while they are rotated. */
export const signMessage = async (
  secrets: readonly string[],
  { id, atMs, body }: { readonly id: string; readonly atMs: number; readonly body: string },
): Promise<SignedHeaders> => {
  const timestamp = String(Math.floor(atMs / 1000));
  const content = signedBytes(id, timestamp, body);
  const signatures = await Promise.all(
    secrets.flatMap((secret) => {
      const bytes = secretBytes(secret);
      return bytes === undefined ? [] : [signatureOf(bytes, content)];
    }),
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
};

const signatureOf = async (
  secret: Uint8Array<ArrayBuffer>,
  content: Uint8Array<ArrayBuffer>,
): Promise<string> => {
  const signature = await crypto.subtle.sign('HMAC', await importSecret(secret), content);
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`;
};

/** The bytes of a text in base64; undefined for a text that is not base64. */
export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
};
