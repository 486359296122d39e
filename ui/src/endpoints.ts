// What the server's description says of every address: which there are, what each takes, and what it returns. Types
// alone: a call of an address that does not exist, with another body or for another answer, does not compile.
import type { paths } from './openapi.ts';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** A segment of an address: what the description calls {id}, and whatever a template fills in, is a {}. */
type Segment<Text extends string> = string extends Text ? '{}' : Text extends `{${string}}` | `${number}` ? '{}' : Text;

/** An address without the names of its parameters and without its query: "/api/students/sessions/{}". */
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

/** The address itself where the server has it; else all that it has, for the compiler to say. */
export type Address<M extends Method, Path extends string> = [Operation<M, Path>] extends [never] ? Described<M> : Path;

type JsonOf<Message> = Message extends { content: { 'application/json': infer Body } } ? Body : never;

/** What is sent to an address as JSON; nothing where it takes none. */
export type BodyOf<M extends Method, Path extends string> = Operation<M, Path> extends { requestBody: infer Body }
  ? [body: JsonOf<Body>]
  : [NonNullable<Operation<M, Path>['requestBody']>] extends [never]
    ? []
    : [body?: JsonOf<NonNullable<Operation<M, Path>['requestBody']>>];

type Success<Responses> = Responses[keyof Responses & (200 | 201 | 202)];

/** What an address returns when it did as asked; nothing where it has no words for that. */
export type AnswerOf<M extends Method, Path extends string> = [JsonOf<Success<Operation<M, Path>['responses']>>] extends [never]
  ? void
  : JsonOf<Success<Operation<M, Path>['responses']>>;

/** One row of what a list returns. */
export type RowOf<Path extends string> = AnswerOf<'get', Path> extends (infer Row)[] ? Row : never;
