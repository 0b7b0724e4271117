import { z } from 'zod';
import { EmailAddress } from '../definition/email-address.ts';
import { endpoint, Instant } from '../definition/endpoint.ts';
import { NewPassword } from './auth.ts';

export const Admin = z.object({
  id: z.string(),
  email: z.string(),
  createdAt: Instant,
  lastSignInAt: Instant.nullable(),
  /** Two-step sign-in is on. */
  hasTotp: z.boolean(),
});
export type Admin = z.infer<typeof Admin>;

export const AdminBody = z.object({
  email: EmailAddress,
  password: NewPassword,
});

export const listAdmins = endpoint('GET /api/admins', ['admin'], {
  summary: 'All administrators, oldest first',
  responses: { 200: z.array(Admin) },
});

export const createAdmin = endpoint('POST /api/admins', ['admin'], {
  freshPassword: true,
  summary: 'Add an administrator',
  body: AdminBody,
  responses: { 201: Admin },
  errors: ['ADMIN_EXISTS', 'LOOKS_LIKE_CODE', 'GUESSABLE_PASSWORD'],
});

export const deleteAdmin = endpoint('DELETE /api/admins/:id', ['admin'], {
  freshPassword: true,
  summary:
    'Delete an administrator and end their sessions; refused for the last one and for yourself',
  responses: { 204: null },
  errors: ['NOT_FOUND', 'OWN_ACCOUNT', 'LAST_ADMIN'],
});

export const changeOwnPassword = endpoint('PUT /api/admins/me/password', ['admin'], {
  summary: 'Change your own password; your other sessions end',
  body: z.object({
    currentPassword: z.string('Enter your current password').min(1, 'Enter your current password'),
    newPassword: NewPassword,
  }),
  responses: { 200: Admin },
  errors: ['WRONG_PASSWORD', 'LOOKS_LIKE_CODE', 'GUESSABLE_PASSWORD', 'THROTTLED'],
});
