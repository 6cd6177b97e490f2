/** Whether a text is a UUID in its canonical form: lower case, with hyphens. */
export const isUuid = (text: string): boolean => canonical.test(text);

const canonical = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/u;
