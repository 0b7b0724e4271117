import { z } from 'zod';
import { endpoint } from '../definition/endpoint.ts';
import { ConfirmPasswordBody, TypedCode } from './auth.ts';

/** The administrator's own two-step sign-in. */
export const Totp = z.object({
  enabled: z.boolean(),
  recoveryCodesLeft: z.int(),
  /** Whether all administrators must have it. */
  required: z.boolean(),
});
export type Totp = z.infer<typeof Totp>;

/** Returned once, in this response only. */
export const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

export const getTotp = endpoint('GET /api/admins/me/totp', ['self'], {
  beforeTotp: true,
  summary: 'Whether your own two-step sign-in is on',
  responses: { 200: Totp },
});

export const beginTotp = endpoint('POST /api/admins/me/totp', ['self'], {
  beforeTotp: true,
  audit: { none: 'nothing is in force before it is confirmed' },
  summary: 'Begin to set up two-step sign-in: a new secret, to be confirmed with a first code',
  body: ConfirmPasswordBody,
  responses: { 200: z.object({ secret: z.string(), uri: z.string() }) },
  errors: ['WRONG_PASSWORD', 'THROTTLED', 'TOTP_ON'],
});

export const confirmTotp = endpoint('POST /api/admins/me/totp/confirm', ['self'], {
  beforeTotp: true,
  audit: 'admin.totp_enabled',
  summary: 'Turn on two-step sign-in with a first code; your other sessions end; audited',
  body: z.object({ code: TypedCode }),
  responses: { 200: RecoveryCodes },
  errors: ['WRONG_CODE', 'THROTTLED', 'TOTP_ON', 'TOTP_OFF', 'TOTP_UNREADABLE'],
});

const BothSteps = ConfirmPasswordBody.extend({ code: TypedCode });

export const renewRecoveryCodes = endpoint('POST /api/admins/me/totp/recovery-codes', ['self'], {
  audit: 'admin.recovery_codes_renewed',
  summary: 'Ten new recovery codes; the earlier ones stop working; audited',
  body: BothSteps,
  responses: { 200: RecoveryCodes },
  errors: ['WRONG_PASSWORD', 'WRONG_CODE', 'THROTTLED', 'TOTP_OFF', 'TOTP_UNREADABLE'],
});

export const switchOffTotp = endpoint('POST /api/admins/me/totp/off', ['self'], {
  audit: 'admin.totp_disabled',
  summary: 'Turn off your own two-step sign-in, with password and code; audited',
  body: BothSteps,
  responses: { 204: null },
  errors: ['WRONG_PASSWORD', 'WRONG_CODE', 'THROTTLED', 'TOTP_OFF', 'TOTP_UNREADABLE'],
});

export const resetTotp = endpoint('DELETE /api/admins/:id/totp', ['installation: team.edit'], {
  freshPassword: true,
  audit: 'admin.totp_reset',
  summary:
    'Reset two-step sign-in of an administrator who lost access to it; their sessions end; audited',
  responses: { 204: null },
  errors: ['TOTP_OWN', 'TOTP_OFF'],
});

/** Rules for the sign-in of every administrator. */
export const SignInPolicy = z.object({ totpRequired: z.boolean() });
export type SignInPolicy = z.infer<typeof SignInPolicy>;

export const getSignInPolicy = endpoint('GET /api/sign-in-policy', ['self'], {
  summary: 'Whether all administrators must have two-step sign-in',
  responses: { 200: SignInPolicy },
});

export const putSignInPolicy = endpoint(
  'PUT /api/sign-in-policy',
  ['installation: installation.manage'],
  {
    freshPassword: true,
    audit: 'sign_in_policy.changed',
    summary: 'Require two-step sign-in of all administrators, or stop requiring it; audited',
    /** `before`: as it was read; another one that is stored is STALE. */
    body: SignInPolicy.extend({ before: SignInPolicy.optional() }),
    responses: { 200: SignInPolicy },
    errors: ['TOTP_FIRST', 'STALE'],
  },
);
