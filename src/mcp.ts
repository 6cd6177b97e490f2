/**
 * Workflows as tools of the Model Context Protocol, so that an assistant runs them.
 *
 * @packageDocumentation
 */
export type { Mcp, McpHttp } from './mcp/create-mcp.js';
export type { McpAuthorize, McpCaller, McpHttpOptions } from './mcp/sdk/http-handler.js';
export type { McpGateway, McpOptions, McpPool, McpTemplate, ShrunkImage } from './mcp/mcp-options.js';

export { createMcp } from './mcp/create-mcp.js';
