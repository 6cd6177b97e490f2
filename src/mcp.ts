/**
 * Workflows as tools of the Model Context Protocol, so that an assistant runs them.
 *
 * @packageDocumentation
 */
export type { Mcp, McpHttp } from './server/mcp/create-mcp.js';
export type { McpAuthorize, McpCaller, McpHttpOptions } from './server/mcp/sdk/http-handler.js';
export type { McpGateway, McpOptions, McpPool, McpTemplate, ShrunkImage } from './server/mcp/mcp-options.js';

export { createMcp } from './server/mcp/create-mcp.js';
