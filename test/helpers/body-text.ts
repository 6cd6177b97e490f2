/** The text of a body that comes in pieces. */
export const bodyText = async ({ body }: { readonly body: AsyncIterable<Uint8Array> }): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};
