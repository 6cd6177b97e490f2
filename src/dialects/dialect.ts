/** Which kind of server it is: `cloud` (the interface, with a key) or `local` (one engine, no key). */
export type Dialect = 'cloud' | 'local';
