// The program of a playground in the hash of an address, so that a reader can send it: #play=NAME:PROGRAM in base64url.

/** The hash for a program. */
export const hashOf = ({ name, code }) => {
  const bytes = new TextEncoder().encode(code);
  const text = btoa(String.fromCharCode(...bytes));
  return `#play=${name}:${text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
};

/** The program of a hash; undefined for a hash without one. */
export const sharedProgram = (hash) => {
  const [, name, text] = /^#play=([\w-]+):([\w-]+)$/u.exec(hash) ?? [];
  if (text === undefined) return undefined;
  try {
    const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    return { name, code: new TextDecoder().decode(Uint8Array.from(bytes, (char) => char.charCodeAt(0))) };
  } catch {
    return undefined;
  }
};
