import { zodResolver } from '@hookform/resolvers/zod';
import { type Admin, AdminBody } from '@invigil/core/contract/accounts/admins';
import { sentenceOf } from '@invigil/core/contract/definition/errors';
import { type Grant, isOwner } from '@invigil/core/domain/rights';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { KeyRound, Plus, ShieldOff, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { formatAgo, formatDate, formatDateTime } from '../../../lib/format.ts';
import { useSession } from '../../../lib/person/session.tsx';
import { ConnectionError } from '../../../net/api.ts';
import { Button } from '../../../ui/button.tsx';
import { PasswordField } from '../../../ui/fields/password-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Trans } from '../../../ui/trans.tsx';
import { useAdmins, useCreateAdmin, useDeleteAdmin } from '../../data/team.ts';
import { ConfirmAction, FormDialog, fieldIn } from '../../parts/dialogs.tsx';
import { LoadedCard } from '../../parts/loaded.tsx';
import { ChangePasswordDialog } from '../account/change-password.tsx';
import { useResetTotp } from '../account/totp-card.tsx';
import { EditRoles, RoleLines } from '../team/edit-roles.tsx';
import { InviteColleague } from '../team/invite-colleague.tsx';
import { PersonOf } from '../team/team-tab.tsx';

const isOwnerOfAll = (grants: readonly Grant[]) => grants.length === 1 && isOwner(grants);

/** Roles are listed once someone is not an owner of everything. */
export function AdminsCard() {
  const admins = useAdmins();
  const own = useSession().account?.user.id;
  const [adding, setAdding] = useState(false);
  const [changing, setChanging] = useState(false);
  const [inviting, setInviting] = useState(false);
  const [editing, setEditing] = useState<Admin | null>(null);
  const [resetting, setResetting] = useState<Admin | null>(null);
  const [deleting, setDeleting] = useState<Admin | null>(null);
  return (
    <>
      <LoadedCard
        title={t(/* heading of a card */ 'settings.admins.title', 'Admin Management')}
        read={admins}
        failure={t('settings.admins.loadFailed', 'Failed to load administrators')}
        loading={t('settings.admins.loading', 'Loading administrators...')}
        rows={8}
        aside={
          <span className="flex flex-wrap gap-2">
            <Button size="dense" icon={<KeyRound />} onClick={() => setChanging(true)}>
              {t(
                /* a button, and the title of its dialog */ 'account.changePassword',
                'Change password',
              )}
            </Button>
            <Button size="dense" onClick={() => setInviting(true)}>
              {t(/* a button */ 'settings.admins.invite', 'Invite by email')}
            </Button>
            <Button size="dense" icon={<Plus />} onClick={() => setAdding(true)}>
              {t(/* a button, and the title of its dialog */ 'settings.admins.add', 'Add Admin')}
            </Button>
          </span>
        }
      >
        {(list) => (
          <ul aria-label={t(/* the name of a list */ 'settings.admins.list', 'Administrators')}>
            {list.map((admin) => (
              <AdminRow
                key={admin.id}
                admin={admin}
                isOwn={admin.id === own}
                withRoles={list.some(({ grants }) => !isOwnerOfAll(grants))}
                onEdit={() => setEditing(admin)}
                why={whyNotDeleted(admin.id, own, list.length)}
                onReset={() => setResetting(admin)}
                onDelete={() => setDeleting(admin)}
              />
            ))}
          </ul>
        )}
      </LoadedCard>
      {adding && <AddAdminDialog onClose={() => setAdding(false)} />}
      {inviting && <InviteColleague onClose={() => setInviting(false)} />}
      {editing !== null && <EditRoles admin={editing} onClose={() => setEditing(null)} />}
      {changing && <ChangePasswordDialog onClose={() => setChanging(false)} />}
      {resetting !== null && <ResetTotp admin={resetting} onClose={() => setResetting(null)} />}
      {deleting !== null && <DeleteAdmin admin={deleting} onClose={() => setDeleting(null)} />}
    </>
  );
}

function AdminRow({
  admin,
  isOwn,
  withRoles,
  why,
  onEdit,
  onReset,
  onDelete,
}: {
  admin: Admin;
  isOwn: boolean;
  withRoles: boolean;
  why: string | undefined;
  onEdit(): void;
  onReset(): void;
  onDelete(): void;
}) {
  const { email, createdAt, lastSignInAt, hasTotp } = admin;
  return (
    <li className="flex items-center gap-3 border-b border-line px-5 py-3 last:border-b-0">
      <div className="min-w-0 flex-1">
        <PersonOf admin={admin} isOwn={isOwn} />
        {withRoles && <RoleLines grants={admin.grants} />}
        <div className="text-sm text-ink-3">
          {createdAt !== undefined && (
            <>
              <Trans
                id="settings.admins.created"
                comment="an administrator; {date} is a date"
                message="Created {date}"
                values={{ date: <time dateTime={createdAt}>{formatDate(createdAt)}</time> }}
              />
              {' · '}
            </>
          )}
          {lastSignInAt === undefined ? null : lastSignInAt === null ? (
            t(
              /* an administrator; stands in a line after “Created 4 May 2026” */ 'settings.admins.neverSignedIn',
              'never signed in',
            )
          ) : (
            <Trans
              id="settings.admins.lastSignIn"
              comment="an administrator; {ago} such as “2 min ago”; stands in a line after “Created 4 May 2026”"
              message="last sign-in {ago}"
              values={{
                ago: (
                  <time dateTime={lastSignInAt} title={formatDateTime(lastSignInAt)}>
                    {formatAgo(lastSignInAt)}
                  </time>
                ),
              }}
            />
          )}
          {hasTotp &&
            ` · ${t(/* an administrator has it; stands in a line after “last sign-in 2 min ago” */ 'settings.admins.hasTotp', 'two-step sign-in')}`}
        </div>
      </div>
      <IconButton
        label={t(
          /* a button; {person} is an address */ 'team.changeRolesOf',
          'Change roles of {person}',
          { person: isolated(email) },
        )}
        tooltip={t(/* a button */ 'team.changeRoles', 'Change roles')}
        onClick={onEdit}
      >
        <KeyRound />
      </IconButton>
      {hasTotp && !isOwn && (
        <IconButton
          label={t(
            /* a button; {person} is an address */ 'settings.admins.resetOf',
            'Reset two-step sign-in of {person}',
            { person: isolated(email) },
          )}
          tooltip={t(/* a button */ 'settings.admins.reset', 'Reset two-step sign-in')}
          onClick={onReset}
        >
          <ShieldOff />
        </IconButton>
      )}
      <IconButton
        label={t(/* a button; {name} is what is deleted */ 'settings.deleteOf', 'Delete {name}', {
          name: isolated(email),
        })}
        tooltip={t(/* a button */ 'portal.delete', 'Delete')}
        unavailable={why}
        onClick={onDelete}
      >
        <Trash2 />
      </IconButton>
    </li>
  );
}

function DeleteAdmin({ admin, onClose }: { admin: Admin; onClose(): void }) {
  return (
    <ConfirmAction
      action={useDeleteAdmin()}
      subject={admin.id}
      done={{ title: t('settings.admins.deleted', 'Admin deleted'), description: admin.email }}
      failed={t('settings.admins.deleteFailed', 'Failed to delete admin')}
      onClose={onClose}
    >
      <p>
        <Trans
          id="settings.admins.deleteText"
          comment="{person} is an address"
          message="Delete the administrator {person}? They are signed out immediately and can no longer sign in."
          values={{ person: <span className="break-all">{admin.email}</span> }}
        />
      </p>
      <p className="mt-2">
        {t(
          /* they are not deleted */ 'settings.admins.deleteKeeps',
          'Assessments, results and the audit log stay.',
        )}
      </p>
    </ConfirmAction>
  );
}

/** Resets two-step sign-in of an administrator who lost app and recovery codes. */
function ResetTotp({ admin, onClose }: { admin: Admin; onClose(): void }) {
  return (
    <ConfirmAction
      title={t('settings.admins.resetTitle', 'Reset two-step sign-in?')}
      confirmLabel={t(/* a button: two-step sign-in */ 'settings.admins.resetButton', 'Reset')}
      busyLabel={t(/* on a button */ 'settings.admins.resetting', 'Resetting…')}
      action={useResetTotp()}
      subject={admin.id}
      done={{
        title: t(/* it was reset */ 'settings.admins.resetDone', 'Two-step sign-in reset'),
        description: admin.email,
      }}
      failed={t('settings.admins.resetFailed', 'Failed to reset two-step sign-in')}
      onClose={onClose}
    >
      <Trans
        id="settings.admins.resetText"
        comment="{person} is an address"
        message="{person} will be signed out and can then sign in with the password alone. Make sure that the request really comes from this person."
        values={{ person: <span className="break-all">{admin.email}</span> }}
      />
    </ConfirmAction>
  );
}

/** Why an administrator cannot be deleted, in the server's words; `undefined` if possible. */
function whyNotDeleted(id: string, ownId: string | undefined, admins: number): string | undefined {
  if (admins <= 1) return sentenceOf('LAST_ADMIN');
  return id === ownId ? sentenceOf('OWN_ACCOUNT') : undefined;
}

/** Add Admin: an address and a first password, which the new administrator can change. */
function AddAdminDialog({ onClose }: { onClose(): void }) {
  const create = useCreateAdmin();
  const form = useForm({
    resolver: zodResolver(AdminBody),
    defaultValues: { email: '', password: '' },
  });
  return (
    <FormDialog
      form={form}
      title={t(/* a button, and the title of its dialog */ 'settings.admins.add', 'Add Admin')}
      description={t(
        'settings.admins.fullAccess',
        'Administrators have full access to this portal.',
      )}
      submitLabel={t(
        /* a button, and the title of its dialog */ 'settings.admins.add',
        'Add Admin',
      )}
      busyLabel={t(/* on a button */ 'portal.creating', 'Creating…')}
      failed={t('settings.admins.createFailed', 'Failed to create admin')}
      sentence={(error) =>
        error instanceof ConnectionError
          ? error.message
          : t('settings.admins.checkData', 'Please check the data and try again.')
      }
      fieldOf={{
        ADMIN_EXISTS: 'email',
        LOOKS_LIKE_CODE: 'password',
        GUESSABLE_PASSWORD: 'password',
      }}
      onClose={onClose}
      onSubmit={async (body) => {
        const admin = await create.mutateAsync(body);
        return {
          title: t('settings.admins.createdDone', 'Admin created'),
          description: admin.email,
        };
      }}
    >
      <TextField
        label={t(/* a field */ 'portal.email', 'Email')}
        type="email"
        required
        autoComplete="off"
        {...fieldIn(form, 'email')}
      />
      <PasswordField
        label={t('login.password', 'Password')}
        required
        autoComplete="new-password"
        hint={t(
          /* of a password */ 'settings.admins.passwordHint',
          'At least 12 characters. Hand it over in person, not by email.',
        )}
        {...fieldIn(form, 'password')}
      />
    </FormDialog>
  );
}
