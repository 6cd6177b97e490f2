/** The id of a request, or undefined if the value is not fit for one: ids stand in logs and errors as they are. */
export const requestIdOf = (value: string | null | undefined): string | undefined =>
  value != null && /^[\w.:+/=-]{1,128}$/u.test(value) ? value : undefined;

/** The id that an answer gives its request: that of the service before that of a proxy in front of it. */
export const answeredId = (header: (name: string) => string | null | undefined): string | undefined =>
  requestIdOf(header('x-comfy-request-id') ?? header('x-request-id'));
