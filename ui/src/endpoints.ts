// Types of every endpoint, derived from the server's OpenAPI document: a call with a wrong path, body or response type
// does not compile.
import type { paths } from './openapi.ts';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Path segments with parameters and template values normalized to {}. */
type Segment<Text extends string> = string extends Text ? '{}' : Text extends `{${string}}` | `${number}` ? '{}' : Text;

/** A path without parameter names and query: "/api/students/sessions/{}". */
type Shape<Path extends string> = Path extends `${infer Before}?${string}`
  ? Shape<Before>
  : Path extends `${infer First}/${infer Rest}`
    ? `${Segment<First>}/${Shape<Rest>}`
    : Segment<Path>;

type Endpoints = { [Path in keyof paths as Shape<Path>]: paths[Path] };

type Described<M extends Method> = { [Path in keyof paths]: paths[Path] extends Record<M, object> ? Path : never }[keyof paths];

type Endpoint = { requestBody?: unknown; responses: unknown };

type Operation<M extends Method, Path extends string> = Shape<Path> extends keyof Endpoints
  ? Endpoints[Shape<Path>] extends Record<M, infer Found extends Endpoint> ? Found : never
  : never;

/** The path itself if it exists; else all paths, for the compiler's message. */
export type Address<M extends Method, Path extends string> = [Operation<M, Path>] extends [never] ? Described<M> : Path;

type JsonOf<Message> = Message extends { content: { 'application/json': infer Body } } ? Body : never;

/** The body argument of a call; no argument if the endpoint takes no JSON. */
export type BodyOf<M extends Method, Path extends string> = Operation<M, Path> extends { requestBody: infer Body }
  ? [body: JsonOf<Body>]
  : [NonNullable<Operation<M, Path>['requestBody']>] extends [never]
    ? []
    : [body?: JsonOf<NonNullable<Operation<M, Path>['requestBody']>>];

type Success<Responses> = Responses[keyof Responses & (200 | 201 | 202)];

/** The successful response of an endpoint. */
export type AnswerOf<M extends Method, Path extends string> = [JsonOf<Success<Operation<M, Path>['responses']>>] extends [never]
  ? void
  : JsonOf<Success<Operation<M, Path>['responses']>>;

/** One row of a list response. */
export type RowOf<Path extends string> = AnswerOf<'get', Path> extends (infer Row)[] ? Row : never;
