/**
 * How to allow a blocked device in this browser, by its user agent. Only advice depends on it, so a
 * wrong guess is harmless.
 *
 * @param device name of the device within a sentence
 */
export function unblockAdvice(device: string, userAgent: string): string {
  if (/iPhone|iPad|iPod/.test(userAgent)) {
    return `Select the page menu beside the address, open Website Settings, allow the ${device}, then try again.`;
  }
  if (/Firefox\//.test(userAgent)) {
    return `Select the crossed-out ${device} beside the address, clear the block, then try again.`;
  }
  if (/Android/.test(userAgent)) {
    return `Select the icon beside the address, open Permissions, allow the ${device}, then try again.`;
  }
  if (/Chrome\//.test(userAgent)) {
    return `Select the icon beside the address, allow the ${device}, then try again.`;
  }
  if (/Macintosh.*Safari\//.test(userAgent)) {
    return `Open Safari in the menu bar, select Settings for This Website, allow the ${device}, then try again.`;
  }
  return `Open the site settings beside the address, allow the ${device}, then try again.`;
}
