/** The releases of the engine that a local server can play; `latest` is the newest whose sources were read. */
export type Engine = '0.3.40' | '0.3.64' | '0.6' | '0.9' | '0.26' | 'latest';
