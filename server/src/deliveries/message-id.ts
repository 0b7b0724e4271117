/** The Message-ID of an email: an id of ours at the host of PUBLIC_URL. */
export function messageIdOf(publicUrl: string, id: string): string {
  return `<${id}@${new URL(publicUrl).hostname}>`;
}
