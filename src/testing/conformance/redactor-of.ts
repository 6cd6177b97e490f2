/** Makes what takes these secrets, and the queries of signed addresses, out of a text. */
export const redactorOf =
  (secrets: readonly string[]): ((text: string) => string) =>
  (text) =>
    secrets
      .filter((secret) => secret !== '')
      .flatMap((secret) => [secret, new URLSearchParams({ a: secret }).toString().slice(2)])
      .reduce((kept, secret) => kept.replaceAll(secret, '[key]'), text)
      .replaceAll(signed, '$1?[signature]')
      .replaceAll(token, '$1[token]');

const signed = /(https?:\/\/[^\s"?]+)\?[^\s"]*(?:signature|sig|token|expires)[^\s"]*/giu;

const token = /("(?:auth_token|api_key)[^"]*"\s*:\s*")[^"]*/giu;
