// Checked by the compiler (`npm run check`), not at run time.
import { expectTypeOf, it } from 'vitest';
import type { School, StudentFile, StudentRow } from './api-types.ts';
import type { Address, AnswerOf, BodyOf, RowOf } from './endpoints.ts';

it('knows each address by its description, whatever stands in it and behind it', () => {
  expectTypeOf<AnswerOf<'get', '/api/school'>>().toEqualTypeOf<School>();
  expectTypeOf<AnswerOf<'get', `/api/admin/students/${number}`>>().toEqualTypeOf<StudentFile>();
  expectTypeOf<RowOf<`/api/admin/students?${string}`>>().toEqualTypeOf<StudentRow>();
  expectTypeOf<AnswerOf<'delete', `/api/students/sessions/${string}`>>().toEqualTypeOf<void>();
  expectTypeOf<BodyOf<'post', '/api/students/not-me'>>().toEqualTypeOf<[body: { token: string }]>();
  expectTypeOf<BodyOf<'post', '/api/students/logout'>>().toEqualTypeOf<[]>();
});

it('takes no address that the server does not have', () => {
  expectTypeOf<Address<'get', '/api/school'>>().toEqualTypeOf<'/api/school'>();
  expectTypeOf<'/api/schools'>().not.toExtend<Address<'get', '/api/schools'>>();
  expectTypeOf<'/api/school'>().not.toExtend<Address<'post', '/api/school'>>();
  expectTypeOf<`/api/school/${number}`>().not.toExtend<Address<'get', `/api/school/${number}`>>();
});
