// Passkeys: made, or shown on the way in. Where the browser or a plain http page has none, the
// buttons stay hidden and the page says why.
const keys = window.isSecureContext && window.PublicKeyCredential?.parseCreationOptionsFromJSON
  ? window.PublicKeyCredential : null

// As the form of allauth asks for one that opens the door by itself.
function alone (options) {
  options.authenticatorSelection = {
    ...options.authenticatorSelection, residentKey: 'required', requireResidentKey: true, userVerification: 'required'
  }
  return options
}

async function asked (form, given) {
  if (form.dataset.passkey === 'create') {
    return navigator.credentials.create({ publicKey: keys.parseCreationOptionsFromJSON(alone(given.creation_options.publicKey)) })
  }
  return navigator.credentials.get({ publicKey: keys.parseRequestOptionsFromJSON(given.request_options.publicKey) })
}

async function options (form) {
  const here = document.getElementById('passkey')
  if (here) return JSON.parse(here.textContent)
  const answer = await fetch(form.action, { headers: { Accept: 'application/json' } })
  if (!answer.ok) throw new Error(String(answer.status))
  return answer.json()
}

function offer (form) {
  const button = form.querySelector('button')
  button.hidden = false
  form.addEventListener('submit', async event => {
    event.preventDefault()
    button.disabled = true
    try {
      const made = await asked(form, await options(form))
      form.elements.credential.value = JSON.stringify(made.toJSON())
      form.submit()
    } catch { // given up, or refused by the device: it has said so itself
      button.disabled = false
    }
  })
}

if (keys) {
  document.querySelectorAll('form[data-passkey]').forEach(offer)
  document.querySelectorAll('[data-passkey-add]').forEach(link => { link.hidden = false })
  document.querySelectorAll('[data-passkey-none].err').forEach(note => { note.hidden = true })
}
