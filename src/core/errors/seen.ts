/**
 * What kind of document an answer is, with at most `longest` characters of its title; undefined for JSON, plain text and nothing. Who
 * redacts the words, and then cuts them, asks for more than is shown.
 */
export const documentIn = (body: string, longest = maxTitle): string | undefined => {
  if (!/^\s*</u.test(body)) return undefined;
  if (
    !/^\s*(?:<!--[^]{0,1000}?-->\s*)?<(?:!doctype html|html|head|body|title|meta|center|h1|div|p)\b/iu.test(
      body,
    )
  )
    return 'an XML document';
  const title = /<title[^>]{0,200}>([^<]{1,8192})/iu
    .exec(body)?.[1]
    ?.slice(0, longest)
    .replace(/\s+/gu, ' ')
    .trim();
  return title === undefined || title === '' ? 'an HTML page' : `an HTML page, "${title}"`;
};

/**
 * Where a redirect leads, without what may be secret: no credentials, query or fragment; undefined if it names no address. It is whole, to
 * be redacted before it is cut.
 */
export const redirectTarget = (location: string | undefined): string | undefined => {
  const [address = ''] = (location ?? '').trim().split(/[?#]/u, 1);
  const target = address.replace(/^([a-z][a-z\d+.-]*:)?\/\/[^/]*@/iu, '$1//');
  return target === '' ? undefined : target;
};

const maxTitle = 200;

/** What is read of words that are redacted before they are cut. */
export const longestSeen = 8_192;

/**
 * What the first characters of a text say, without the queries of addresses, which sign them; undefined for nothing, a document and JSON.
 * As {@link documentIn} for `longest`.
 */
export const plainWords = (text: string, longest = maxWords): string | undefined => {
  const words = text.slice(0, longest).replaceAll(/\s+/gu, ' ').trim();
  return words === '' || /^(?:[<[{"]|(?:null|true|false|-?[\d.]+)$)/u.test(words)
    ? undefined
    : withoutQueries(words);
};

/** Leaves out what may sign an address. */
export const withoutQueries = (text: string): string =>
  text.replaceAll(/[?&][\w.~%-]+=[^\s"'<>]*/gu, '').replaceAll(/\b(https?:\/\/)[^\s/"'<>]*@/giu, '$1');

const maxWords = 500;

/** The scheme of credentials that a refusal asks for, such as `Basic`. */
export const askedScheme = (challenge: string | undefined): string | undefined =>
  /^\s*([a-z][a-z\d-]{0,30})/iu.exec(challenge ?? '')?.[1];
