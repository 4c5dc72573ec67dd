"""Cards of programs for containers, clusters, clouds, infrastructure as code, and databases.

They have many sub-commands, of which some print what exists and the others change it, often for other people too. A
sub-command without a card is praxic. The same lists of options repeat in this module, because each card is complete in
itself.
"""

from __future__ import annotations

PROGRAMS: dict[str, str] = {
    # ---- containers: docker, compose, podman ------------------------------------------------------------------
    "docker": """
        Containers.
        subcommands
        alone
        flags: -D --debug
        values: -l --log-level -c --context
        praxic: --config | uses another configuration, whose helpers it runs
        praxic: -H --host --tls --tlscacert --tlscert --tlskey --tlsverify | talks to another daemon
    """,
    "docker ps": """
        Lists containers.
        any
    """,
    "docker images": """
        Lists images.
        any
    """,
    "docker inspect": """
        Prints all about an object.
        any
    """,
    "docker logs": """
        Prints what a container said.
        any
    """,
    "docker stats": """
        Shows what containers use.
        any
    """,
    "docker port": """
        Prints port mappings.
        any
    """,
    "docker version": """
        Prints versions.
        any
    """,
    "docker info": """
        Prints about the daemon.
        any
    """,
    "docker diff": """
        Lists what changed in a container's files.
        any
    """,
    "docker history": """
        Prints how an image was made.
        any
    """,
    "docker events": """
        Prints what happens.
        any
    """,
    "docker search": """
        Searches a registry for images.
        any
    """,
    "docker wait": """
        Waits until containers stop.
        any
    """,
    "docker top": """
        Lists a container's processes.
        any
    """,
    "docker container": """
        Containers.
        subcommands
        alone
    """,
    "docker container ls": "same as docker ps",
    "docker container list": "same as docker ps",
    "docker container ps": "same as docker ps",
    "docker container inspect": "same as docker ps",
    "docker container logs": "same as docker ps",
    "docker container stats": "same as docker ps",
    "docker container port": "same as docker ps",
    "docker container diff": "same as docker ps",
    "docker container wait": "same as docker ps",
    "docker container top": "same as docker ps",
    "docker image": """
        Images.
        subcommands
        alone
    """,
    "docker image ls": "same as docker ps",
    "docker image list": "same as docker ps",
    "docker image inspect": "same as docker ps",
    "docker image history": "same as docker ps",
    "docker network": """
        Networks.
        subcommands
        alone
    """,
    "docker network ls": "same as docker ps",
    "docker network list": "same as docker ps",
    "docker network inspect": "same as docker ps",
    "docker volume": """
        Volumes.
        subcommands
        alone
    """,
    "docker volume ls": "same as docker ps",
    "docker volume list": "same as docker ps",
    "docker volume inspect": "same as docker ps",
    "docker context": """
        Daemons that are known.
        subcommands
        alone
    """,
    "docker context ls": "same as docker ps",
    "docker context list": "same as docker ps",
    "docker context inspect": "same as docker ps",
    "docker context show": "same as docker ps",
    "docker system": """
        The daemon.
        subcommands
        alone
    """,
    "docker system df": "same as docker ps",
    "docker system info": "same as docker ps",
    "docker system events": "same as docker ps",
    "docker node": """
        Machines of a swarm.
        subcommands
        alone
    """,
    "docker node ls": "same as docker ps",
    "docker node list": "same as docker ps",
    "docker node ps": "same as docker ps",
    "docker node inspect": "same as docker ps",
    "docker service": """
        Services of a swarm.
        subcommands
        alone
    """,
    "docker service ls": "same as docker ps",
    "docker service list": "same as docker ps",
    "docker service ps": "same as docker ps",
    "docker service inspect": "same as docker ps",
    "docker service logs": "same as docker ps",
    "docker stack": """
        Stacks of a swarm.
        subcommands
        alone
    """,
    "docker stack ls": "same as docker ps",
    "docker stack list": "same as docker ps",
    "docker stack ps": "same as docker ps",
    "docker stack services": "same as docker ps",
    "docker secret": """
        Secrets of a swarm.
        subcommands
        alone
    """,
    "docker secret ls": "same as docker ps",
    "docker secret list": "same as docker ps",
    "docker secret inspect": "same as docker ps",
    "docker config": """
        Configurations of a swarm.
        subcommands
        alone
    """,
    "docker config ls": "same as docker ps",
    "docker config list": "same as docker ps",
    "docker config inspect": "same as docker ps",
    "docker plugin": """
        Plugins of the daemon.
        subcommands
        alone
    """,
    "docker plugin ls": "same as docker ps",
    "docker plugin list": "same as docker ps",
    "docker plugin inspect": "same as docker ps",
    "docker manifest": """
        Lists of images by platform.
        subcommands
        alone
    """,
    "docker manifest inspect": "same as docker ps",
    "docker checkpoint": """
        Checkpoints of containers.
        subcommands
        alone
    """,
    "docker checkpoint ls": "same as docker ps",
    "docker checkpoint list": "same as docker ps",
    "docker buildx": """
        Builders.
        subcommands
        alone
    """,
    "docker buildx ls": "same as docker ps",
    "docker buildx version": "operands: none",
    "docker buildx du": """
        Prints what the build cache uses.
        flags: --verbose
        values: --filter --builder
        operands: none
    """,
    "docker buildx inspect": """
        Prints a builder.
        operands: read
        praxic: --bootstrap | starts the builder
    """,
    "docker buildx imagetools": """
        Images by platform.
        subcommands
    """,
    "docker buildx imagetools inspect": """
        Prints an image of a registry.
        flags: --raw
        values: --format
        operands: read
    """,
    "docker buildx prune": "weighty | removes the build cache",
    "docker builder": """
        Builders.
        subcommands
        alone
    """,
    "docker builder prune": "weighty | removes the build cache",
    "docker run": "praxic | runs a program in a new container",
    "docker exec": """
        Runs a program in a container.
        stops
        flags: -i --interactive -t --tty
        values: -u --user -w --workdir
        praxic: -d --detach -e --env --env-file --privileged --detach-keys | runs it in another way
        operands: read...
        code: container
    """,
    "docker container exec": "same as docker exec",
    "podman exec": "same as docker exec",
    "podman container exec": "same as docker exec",
    "docker build": "praxic | builds an image, running what its recipe says",
    "docker buildx build": "praxic | builds an image, running what its recipe says",
    "docker buildx bake": "praxic | builds images, running what their recipes say",
    "docker pull": "praxic | fetches an image",
    "docker cp": "praxic | copies files from or to a container",
    "docker start": "praxic | starts containers",
    "docker stop": "praxic | stops containers",
    "docker restart": "praxic | restarts containers",
    "docker kill": "praxic | kills containers",
    "docker create": "praxic | creates a container",
    "docker commit": "praxic | makes an image of a container",
    "docker tag": "praxic | names an image",
    "docker login": "praxic | stores credentials",
    "docker logout": "praxic | removes credentials",
    "docker load": "praxic | loads an image",
    "docker import": "praxic | makes an image",
    "docker attach": "praxic | sends input to a container",
    "docker rename": "praxic | renames a container",
    "docker update": "praxic | changes a container",
    "docker pause": "praxic | stops containers for a while",
    "docker unpause": "praxic | lets containers go on",
    "docker rm": "weighty | removes containers with what only they hold",
    "docker rmi": "weighty | removes images",
    "docker push": "weighty | publishes an image",
    "docker container rm": "weighty | removes containers with what only they hold",
    "docker image rm": "weighty | removes images",
    "docker image push": "weighty | publishes an image",
    "docker container prune": "weighty | removes all stopped containers",
    "docker image prune": "weighty | removes images",
    "docker volume rm": "weighty | removes volumes with their data",
    "docker volume prune": "weighty | removes volumes with their data",
    "docker network rm": "weighty | removes networks",
    "docker network prune": "weighty | removes networks",
    "docker system prune": "weighty | removes containers, images, networks and volumes",
    "docker stack rm": "weighty | removes a stack",
    "docker service rm": "weighty | removes services",
    "docker manifest push": "weighty | publishes a list of images",
    "docker save": """
        Prints an image as an archive.
        values: --platform
        writes: -o --output | writes the archive into the file that is named
    """,
    "docker export": """
        Prints a container's files as an archive.
        writes: -o --output | writes the archive into the file that is named
    """,
    "docker compose": """
        Containers that belong together.
        subcommands
        alone
        flags: --compatibility --all-resources --dry-run --verbose
        values: -f --file -p --project-name --profile --project-directory --env-file --ansi --progress --parallel
    """,
    "docker compose ps": """
        Lists containers.
        flags: -a --all --no-trunc -q --quiet --services
        optional: --orphans
        values: --filter --format --status
    """,
    "docker compose logs": """
        Prints what containers said.
        flags: -f --follow --no-color --no-log-prefix -t --timestamps
        values: --index --since -n --tail --until
    """,
    "docker compose config": """
        Prints the configuration.
        flags: --environment  --images --models --networks --no-consistency --no-env-resolution --no-interpolate
        flags: --no-normalize --no-path-resolution --profiles -q --quiet --resolve-image-digests --services --variables
        flags: --volumes
        values: --format
        writes: -o --output | writes the configuration into the file that is named
        praxic: --lock-image-digests | changes what is locked
    """,
    "docker compose convert": "same as docker compose config",
    "docker compose ls": """
        Lists projects.
        flags: -a --all -q --quiet
        values: --filter --format
        operands: none
    """,
    "docker compose top": "operands: read...",
    "docker compose images": """
        Lists images.
        flags: -q --quiet
        values: --format
    """,
    "docker compose port": """
        Prints a port mapping.
        values: --index --protocol
    """,
    "docker compose events": """
        Prints what happens.
        flags: --json
        values: --since --until
    """,
    "docker compose stats": """
        Shows what containers use.
        flags: -a --all --no-stream --no-trunc
        values: --format
    """,
    "docker compose volumes": """
        Lists volumes.
        flags: -q --quiet
        values: --format
    """,
    "docker compose version": """
        Prints the version.
        flags: --short
        values: -f --format
        operands: none
    """,
    "docker compose up": "praxic | creates and starts containers",
    "docker compose build": "praxic | builds images",
    "docker compose run": "praxic | runs a program in a new container",
    "docker compose exec": """
        Runs a program in a container.
        stops
        flags: -i --interactive -T --no-TTY --no-tty -t --tty
        values: -u --user -w --workdir --index
        praxic: -d --detach -e --env --privileged | runs it in another way
        operands: read...
        code: container
    """,
    "docker compose start": "praxic | starts containers",
    "docker compose stop": "praxic | stops containers",
    "docker compose restart": "praxic | restarts containers",
    "docker compose pull": "praxic | fetches images",
    "docker compose create": "praxic | creates containers",
    "docker compose kill": "praxic | kills containers",
    "docker compose cp": "praxic | copies files",
    "docker compose watch": "praxic | rebuilds when files change",
    "docker compose down": "weighty | removes containers and networks, and volumes if asked",
    "docker compose rm": "weighty | removes containers",
    "docker compose push": "weighty | publishes images",
    "docker-compose": "same as docker compose",
    "docker-compose ps": "same as docker compose ps",
    "docker-compose logs": "same as docker compose logs",
    "docker-compose config": "same as docker compose config",
    "docker-compose convert": "same as docker compose config",
    "docker-compose ls": "same as docker compose ls",
    "docker-compose top": "same as docker compose top",
    "docker-compose images": "same as docker compose images",
    "docker-compose port": "same as docker compose port",
    "docker-compose events": "same as docker compose events",
    "docker-compose stats": "same as docker compose stats",
    "docker-compose volumes": "same as docker compose volumes",
    "docker-compose version": "same as docker compose version",
    "docker-compose up": "same as docker compose up",
    "docker-compose build": "same as docker compose build",
    "docker-compose run": "same as docker compose run",
    "docker-compose exec": "same as docker compose exec",
    "docker-compose start": "same as docker compose start",
    "docker-compose stop": "same as docker compose stop",
    "docker-compose restart": "same as docker compose restart",
    "docker-compose pull": "same as docker compose pull",
    "docker-compose create": "same as docker compose create",
    "docker-compose kill": "same as docker compose kill",
    "docker-compose cp": "same as docker compose cp",
    "docker-compose watch": "same as docker compose watch",
    "docker-compose down": "same as docker compose down",
    "docker-compose rm": "same as docker compose rm",
    "docker-compose push": "same as docker compose push",
    "podman": """
        Containers.
        subcommands
        values: -c --connection --log-level
        praxic: --runtime --conmon --hooks-dir --module --root --runroot | runs other programs, or works elsewhere
        praxic: --config --url --remote --identity | runs other programs, or works elsewhere
    """,
    "podman ps": """
        Lists containers.
        flags: -a --all --external -l --latest --no-trunc --noheading --ns --namespace -p --pod -q --quiet -s --size
        values: -f --filter --format -n --last --sort -w --watch
        operands: none
        praxic: --sync | writes the state of containers
    """,
    "podman images": """
        Readers of podman; they are not `any`, since its options for all commands may stand after the command too.
        flags: -a -f -q -n -s -H -t -i -D
        optional: --all --filter --format --quiet --no-trunc --noheading --digests --history --sort --size --human
        optional: --type --latest --follow --tail --since --until --timestamps --names --color --details
        optional: --stream --no-stream --no-reset --interval --ignore --condition --limit --list-tags --compatible
        optional: --show-labels --ns --pod --ctr-ids --ctr-names --ctr-status --labels --whatrequires --container
        optional: --external --debug --tls-verify --showsecret --json
        """,
    "podman inspect": "same as podman images",
    "podman logs": "same as podman images",
    "podman stats": "same as podman images",
    "podman port": "same as podman images",
    "podman version": "same as podman images",
    "podman info": "same as podman images",
    "podman diff": "same as podman images",
    "podman history": "same as podman images",
    "podman events": "same as podman images",
    "podman search": "same as podman images",
    "podman wait": "same as podman images",
    "podman top": "operands: read",
    "podman container": "subcommands",
    "podman container ls": "same as podman ps",
    "podman container list": "same as podman ps",
    "podman container ps": "same as podman ps",
    "podman container inspect": "same as podman images",
    "podman container logs": "same as podman images",
    "podman container exists": "same as podman images",
    "podman container diff": "same as podman images",
    "podman container port": "same as podman images",
    "podman container stats": "same as podman images",
    "podman container wait": "same as podman images",
    "podman image": "subcommands",
    "podman image ls": "same as podman images",
    "podman image list": "same as podman images",
    "podman image inspect": "same as podman images",
    "podman image history": "same as podman images",
    "podman image exists": "same as podman images",
    "podman image tree": "same as podman images",
    "podman image diff": "same as podman images",
    "podman network": "subcommands",
    "podman network ls": "same as podman images",
    "podman network inspect": "same as podman images",
    "podman network exists": "same as podman images",
    "podman volume": "subcommands",
    "podman volume ls": "same as podman images",
    "podman volume inspect": "same as podman images",
    "podman volume exists": "same as podman images",
    "podman pod": "subcommands",
    "podman pod ps": "same as podman images",
    "podman pod ls": "same as podman images",
    "podman pod list": "same as podman images",
    "podman pod inspect": "same as podman images",
    "podman pod logs": "same as podman images",
    "podman pod exists": "same as podman images",
    "podman pod stats": "same as podman images",
    "podman machine": "subcommands",
    "podman machine list": "same as podman images",
    "podman machine ls": "same as podman images",
    "podman machine inspect": "same as podman images",
    "podman machine info": "same as podman images",
    "podman secret": "subcommands",
    "podman secret ls": "same as podman images",
    "podman secret inspect": "same as podman images",
    "podman system": "subcommands",
    "podman system df": "same as podman images",
    "podman system info": "same as podman images",
    "podman system events": "same as podman images",
    "podman manifest": "subcommands",
    "podman manifest inspect": "same as podman images",
    "podman manifest exists": "same as podman images",
    "podman system prune": "weighty | removes containers, images and networks",
    "podman system reset": "weighty | removes everything podman holds",
    "podman volume rm": "weighty | removes volumes with their data",
    "podman volume prune": "weighty | removes volumes with their data",
    "podman rm": "weighty | removes containers",
    "podman rmi": "weighty | removes images",
    "podman image prune": "weighty | removes images",
    "podman push": "weighty | publishes an image",
    "nerdctl": "praxic | runs containers",
    "buildah": "praxic | builds images",
    "skopeo": "praxic | copies images between registries",
    "ctr": "praxic | drives containerd",
    "crictl": """
        Containers of a kubelet.
        subcommands
        flags: -D --debug
        values: -r --runtime-endpoint -i --image-endpoint -t --timeout
    """,
    **dict.fromkeys(
        ("crictl ps", "crictl pods", "crictl images", "crictl stats"),
        """
        Lists containers, pods or images.
        flags: -a --all -q --quiet -l --latest --no-trunc -v --verbose --digests
        values: -o --output --name --label --state -s --id --pod --image -n --last --namespace
        """,
    ),
    "crictl logs": "flags: -f --follow -t --timestamps -p --previous\nvalues: --tail --since --limit-bytes",
    **dict.fromkeys(
        ("crictl inspect", "crictl inspectp", "crictl inspecti", "crictl info", "crictl version"),
        "flags: -q --quiet\nvalues: -o --output --template",
    ),
    "lima": "praxic | runs virtual machines",
    "limactl": "praxic | runs virtual machines",
    "colima": "praxic | runs virtual machines",
    "multipass": "praxic | runs virtual machines",
    "lxc": "praxic | runs containers",
    "lxd": "praxic | runs containers",
    "virsh": "praxic | drives virtual machines",
    "qemu-system-x86_64": "praxic | runs a virtual machine",
    "VBoxManage": "praxic | drives virtual machines",
    "devcontainer": "praxic | runs containers",
    "dive": "praxic | an interactive display of an image",
    "lazydocker": "praxic | an interactive display that can stop and remove containers",
    "ctop": "praxic | an interactive display that can stop and remove containers",
    "vagrant": """
        praxic | runs the Ruby program in the Vagrantfile, whatever the command
        help: -h -v
    """,
    "packer": """
        praxic | builds machine images
        help: -h -v version
    """,
    # ---- kubernetes -------------------------------------------------------------------------------------------
    "kubectl": """
        A cluster.
        subcommands
        alone
        optional: --match-server-version --warnings-as-errors --insecure-skip-tls-verify --disable-compression
        values: -n --namespace --context --cluster --user --as --as-group --as-uid --request-timeout -v --v
        writes: --cache-dir | keeps a cache there
        praxic: --kubeconfig | uses another configuration, whose plugins it runs
        praxic: -s --server --token --username --password --client-certificate | shows credentials to another server
        praxic: --client-key --certificate-authority --tls-server-name | shows credentials to another server
        praxic: --profile --profile-output --log-dir --log-file --vmodule | writes files
        help: -h
    """,
    "kubectl get": """
        Prints objects.
        optional: --match-server-version --warnings-as-errors --insecure-skip-tls-verify --disable-compression
        flags: -A
        optional: --all-namespaces --allow-missing-template-keys --ignore-not-found --no-headers
        flags: -R -w
        optional: --output-watch-events --recursive --server-print --show-kind --show-labels --show-managed-fields
        optional: --watch --watch-only
        values: -n --namespace --context --cluster --user --as --as-group --as-uid --request-timeout -v --v
        values: --chunk-size --field-selector -f --filename -L --label-columns -o --output --raw -l --selector --sort-by
        values: --subresource --template
        writes: --cache-dir | keeps a cache there
        praxic: --kubeconfig | uses another configuration, whose plugins it runs
        praxic: -s --server --token --username --password --client-certificate | shows credentials to another server
        praxic: --client-key --certificate-authority --tls-server-name | shows credentials to another server
        praxic: --profile --profile-output --log-dir --log-file --vmodule | writes files
        praxic: -k --kustomize | builds a folder that may fetch others
    """,
    "kubectl describe": """
        Prints objects in words.
        optional: --match-server-version --warnings-as-errors --insecure-skip-tls-verify --disable-compression
        flags: -A -R
        optional: --all-namespaces --recursive --show-events
        values: -n --namespace --context --cluster --user --as --as-group --as-uid --request-timeout -v --v
        values: --chunk-size -f --filename -l --selector
        writes: --cache-dir | keeps a cache there
        praxic: --kubeconfig | uses another configuration, whose plugins it runs
        praxic: -s --server --token --username --password --client-certificate | shows credentials to another server
        praxic: --client-key --certificate-authority --tls-server-name | shows credentials to another server
        praxic: --profile --profile-output --log-dir --log-file --vmodule | writes files
        praxic: -k --kustomize | builds a folder that may fetch others
    """,
    "kubectl logs": """
        Prints what containers said.
        optional: --match-server-version --warnings-as-errors --insecure-skip-tls-verify --disable-compression
        flags: -f -p
        optional: --all-containers --all-pods --follow --ignore-errors --insecure-skip-tls-verify-backend --prefix
        optional: --previous --timestamps
        values: -n --namespace --context --cluster --user --as --as-group --as-uid --request-timeout -v --v
        values: -c --container --limit-bytes --max-log-requests --pod-running-timeout -l --selector --since --since-time
        values: --tail
        writes: --cache-dir | keeps a cache there
        praxic: --kubeconfig | uses another configuration, whose plugins it runs
        praxic: -s --server --token --username --password --client-certificate | shows credentials to another server
        praxic: --client-key --certificate-authority --tls-server-name | shows credentials to another server
        praxic: --profile --profile-output --log-dir --log-file --vmodule | writes files
    """,
    "kubectl top": "subcommands",
    "kubectl top pod": """
        Prints what pods use.
        optional: --match-server-version --warnings-as-errors --insecure-skip-tls-verify --disable-compression
        flags: -A
        optional: --all-namespaces --containers --no-headers --sum --use-protocol-buffers --show-swap
        values: -n --namespace --context --cluster --user --as --as-group --as-uid --request-timeout -v --v
        values: --field-selector -l --selector --sort-by
        writes: --cache-dir | keeps a cache there
        praxic: --kubeconfig | uses another configuration, whose plugins it runs
        praxic: -s --server --token --username --password --client-certificate | shows credentials to another server
        praxic: --client-key --certificate-authority --tls-server-name | shows credentials to another server
        praxic: --profile --profile-output --log-dir --log-file --vmodule | writes files
    """,
    "kubectl top pods": "same as kubectl top pod",
    "kubectl top po": "same as kubectl top pod",
    "kubectl top node": "same as kubectl top pod",
    "kubectl top nodes": "same as kubectl top pod",
    "kubectl top no": "same as kubectl top pod",
    "kubectl explain": """
        Prints what the fields of a kind mean.
        optional: --match-server-version --warnings-as-errors --insecure-skip-tls-verify --disable-compression
        optional: --recursive
        values: -n --namespace --context --cluster --user --as --as-group --as-uid --request-timeout -v --v
        values: --api-version -o --output
        writes: --cache-dir | keeps a cache there
        praxic: --kubeconfig | uses another configuration, whose plugins it runs
        praxic: -s --server --token --username --password --client-certificate | shows credentials to another server
        praxic: --client-key --certificate-authority --tls-server-name | shows credentials to another server
        praxic: --profile --profile-output --log-dir --log-file --vmodule | writes files
    """,
    "kubectl api-resources": """
        Lists the kinds of objects.
        optional: --match-server-version --warnings-as-errors --insecure-skip-tls-verify --disable-compression
        optional: --cached --namespaced --no-headers --show-managed-fields
        values: -n --namespace --context --cluster --user --as --as-group --as-uid --request-timeout -v --v
        values: --api-group --categories -o --output --sort-by --verbs
        writes: --cache-dir | keeps a cache there
        praxic: --kubeconfig | uses another configuration, whose plugins it runs
        praxic: -s --server --token --username --password --client-certificate | shows credentials to another server
        praxic: --client-key --certificate-authority --tls-server-name | shows credentials to another server
        praxic: --profile --profile-output --log-dir --log-file --vmodule | writes files
        operands: none
    """,
    "kubectl api-versions": """
        Lists versions of the interface.
        optional: --match-server-version --warnings-as-errors --insecure-skip-tls-verify --disable-compression
        values: -n --namespace --context --cluster --user --as --as-group --as-uid --request-timeout -v --v
        writes: --cache-dir | keeps a cache there
        praxic: --kubeconfig | uses another configuration, whose plugins it runs
        praxic: -s --server --token --username --password --client-certificate | shows credentials to another server
        praxic: --client-key --certificate-authority --tls-server-name | shows credentials to another server
        praxic: --profile --profile-output --log-dir --log-file --vmodule | writes files
        operands: none
    """,
    "kubectl version": """
        Prints versions.
        optional: --match-server-version --warnings-as-errors --insecure-skip-tls-verify --disable-compression
        optional: --client --short
        values: -n --namespace --context --cluster --user --as --as-group --as-uid --request-timeout -v --v
        values: -o --output
        writes: --cache-dir | keeps a cache there
        praxic: --kubeconfig | uses another configuration, whose plugins it runs
        praxic: -s --server --token --username --password --client-certificate | shows credentials to another server
        praxic: --client-key --certificate-authority --tls-server-name | shows credentials to another server
        praxic: --profile --profile-output --log-dir --log-file --vmodule | writes files
        operands: none
    """,
    "kubectl cluster-info": """
        Prints where the cluster is; with dump, all about it.
        optional: --match-server-version --warnings-as-errors --insecure-skip-tls-verify --disable-compression
        flags: -A
        optional: --all-namespaces
        values: -n --namespace --context --cluster --user --as --as-group --as-uid --request-timeout -v --v
        values: --namespaces -o --output --pod-running-timeout
        writes: --cache-dir | keeps a cache there
        praxic: --kubeconfig | uses another configuration, whose plugins it runs
        praxic: -s --server --token --username --password --client-certificate | shows credentials to another server
        praxic: --client-key --certificate-authority --tls-server-name | shows credentials to another server
        praxic: --profile --profile-output --log-dir --log-file --vmodule | writes files
        writes: --output-directory | writes files into the folder that is named
    """,
    "kubectl events": """
        Prints events.
        optional: --match-server-version --warnings-as-errors --insecure-skip-tls-verify --disable-compression
        flags: -A -w
        optional: --all-namespaces --no-headers --watch
        values: -n --namespace --context --cluster --user --as --as-group --as-uid --request-timeout -v --v
        values: --for --types -o --output --template --chunk-size
        writes: --cache-dir | keeps a cache there
        praxic: --kubeconfig | uses another configuration, whose plugins it runs
        praxic: -s --server --token --username --password --client-certificate | shows credentials to another server
        praxic: --client-key --certificate-authority --tls-server-name | shows credentials to another server
        praxic: --profile --profile-output --log-dir --log-file --vmodule | writes files
    """,
    "kubectl wait": """
        Waits for a condition.
        optional: --match-server-version --warnings-as-errors --insecure-skip-tls-verify --disable-compression
        flags: -A -R
        optional: --all-namespaces --all --local --recursive
        values: -n --namespace --context --cluster --user --as --as-group --as-uid --request-timeout -v --v
        values: --for --timeout --field-selector -f --filename -l --selector -o --output --template
        writes: --cache-dir | keeps a cache there
        praxic: --kubeconfig | uses another configuration, whose plugins it runs
        praxic: -s --server --token --username --password --client-certificate | shows credentials to another server
        praxic: --client-key --certificate-authority --tls-server-name | shows credentials to another server
        praxic: --profile --profile-output --log-dir --log-file --vmodule | writes files
    """,
    "kubectl config": "subcommands",
    "kubectl config view": """
        Prints the configuration.
        optional: --match-server-version --warnings-as-errors --insecure-skip-tls-verify --disable-compression
        optional: --flatten --merge --minify --raw --allow-missing-template-keys
        values: -n --namespace --context --cluster --user --as --as-group --as-uid --request-timeout -v --v
        values: -o --output --template
        writes: --cache-dir | keeps a cache there
        praxic: --kubeconfig | uses another configuration, whose plugins it runs
        praxic: -s --server --token --username --password --client-certificate | shows credentials to another server
        praxic: --client-key --certificate-authority --tls-server-name | shows credentials to another server
        praxic: --profile --profile-output --log-dir --log-file --vmodule | writes files
        operands: none
    """,
    "kubectl config get-contexts": """
        Lists contexts.
        optional: --match-server-version --warnings-as-errors --insecure-skip-tls-verify --disable-compression
        optional: --no-headers
        values: -n --namespace --context --cluster --user --as --as-group --as-uid --request-timeout -v --v
        values: -o --output
        writes: --cache-dir | keeps a cache there
        praxic: --kubeconfig | uses another configuration, whose plugins it runs
        praxic: -s --server --token --username --password --client-certificate | shows credentials to another server
        praxic: --client-key --certificate-authority --tls-server-name | shows credentials to another server
        praxic: --profile --profile-output --log-dir --log-file --vmodule | writes files
    """,
    "kubectl config current-context": "operands: none",
    "kubectl config get-clusters": "operands: none",
    "kubectl config get-users": "operands: none",
    "kubectl auth": "subcommands",
    "kubectl auth can-i": """
        Says what is allowed.
        optional: --match-server-version --warnings-as-errors --insecure-skip-tls-verify --disable-compression
        flags: -A -q
        optional: --all-namespaces --list --no-headers --quiet
        values: -n --namespace --context --cluster --user --as --as-group --as-uid --request-timeout -v --v
        values: --subresource
        writes: --cache-dir | keeps a cache there
        praxic: --kubeconfig | uses another configuration, whose plugins it runs
        praxic: -s --server --token --username --password --client-certificate | shows credentials to another server
        praxic: --client-key --certificate-authority --tls-server-name | shows credentials to another server
        praxic: --profile --profile-output --log-dir --log-file --vmodule | writes files
    """,
    "kubectl auth whoami": """
        Says who asks.
        optional: --match-server-version --warnings-as-errors --insecure-skip-tls-verify --disable-compression
        values: -n --namespace --context --cluster --user --as --as-group --as-uid --request-timeout -v --v
        values: -o --output
        writes: --cache-dir | keeps a cache there
        praxic: --kubeconfig | uses another configuration, whose plugins it runs
        praxic: -s --server --token --username --password --client-certificate | shows credentials to another server
        praxic: --client-key --certificate-authority --tls-server-name | shows credentials to another server
        praxic: --profile --profile-output --log-dir --log-file --vmodule | writes files
        operands: none
    """,
    "kubectl rollout": "subcommands",
    "kubectl rollout status": """
        Prints how a rollout goes.
        optional: --match-server-version --warnings-as-errors --insecure-skip-tls-verify --disable-compression
        flags: -R -w
        optional: --recursive --watch
        values: -n --namespace --context --cluster --user --as --as-group --as-uid --request-timeout -v --v
        values: -f --filename --revision --timeout -l --selector
        writes: --cache-dir | keeps a cache there
        praxic: --kubeconfig | uses another configuration, whose plugins it runs
        praxic: -s --server --token --username --password --client-certificate | shows credentials to another server
        praxic: --client-key --certificate-authority --tls-server-name | shows credentials to another server
        praxic: --profile --profile-output --log-dir --log-file --vmodule | writes files
    """,
    "kubectl rollout history": """
        Prints past rollouts.
        optional: --match-server-version --warnings-as-errors --insecure-skip-tls-verify --disable-compression
        flags: -R
        optional: --recursive
        values: -n --namespace --context --cluster --user --as --as-group --as-uid --request-timeout -v --v
        values: -f --filename --revision -o --output -l --selector --template
        writes: --cache-dir | keeps a cache there
        praxic: --kubeconfig | uses another configuration, whose plugins it runs
        praxic: -s --server --token --username --password --client-certificate | shows credentials to another server
        praxic: --client-key --certificate-authority --tls-server-name | shows credentials to another server
        praxic: --profile --profile-output --log-dir --log-file --vmodule | writes files
    """,
    "kubectl plugin": "subcommands",
    "kubectl plugin list": "operands: none",
    "kubectl apply": "praxic | changes the cluster",
    "kubectl create": "praxic | changes the cluster",
    "kubectl edit": "praxic | changes the cluster",
    "kubectl patch": "praxic | changes the cluster",
    "kubectl replace": "praxic | changes the cluster",
    "kubectl scale": "praxic | changes the cluster",
    "kubectl set": "praxic | changes the cluster",
    "kubectl label": "praxic | changes the cluster",
    "kubectl annotate": "praxic | changes the cluster",
    "kubectl expose": "praxic | changes the cluster",
    "kubectl autoscale": "praxic | changes the cluster",
    "kubectl run": "praxic | starts a pod",
    "kubectl exec": """
        Runs a program in a container; the command stands after `--`.
        flags: -i --stdin -t --tty -q --quiet
        values: -c --container -n --namespace --context --pod-running-timeout --request-timeout
        operands: read...
        code: container
    """,
    "oc exec": "same as kubectl exec",
    "kubectl attach": "praxic | sends input to a container",
    "kubectl cp": "praxic | copies files",
    "kubectl debug": "praxic | starts a debugging container",
    "kubectl port-forward": "praxic | opens a port",
    "kubectl proxy": "praxic | opens a port",
    "kubectl diff": "praxic | runs a program to compare",
    "kubectl kustomize": "praxic | builds a folder that may fetch others",
    "kubectl cordon": "praxic | changes the cluster",
    "kubectl uncordon": "praxic | changes the cluster",
    "kubectl taint": "praxic | changes the cluster",
    "kubectl certificate": "praxic | changes the cluster",
    "kubectl delete": "weighty | removes objects of the cluster",
    "kubectl drain": "weighty | moves all pods away from a machine",
    "oc": "same as kubectl",
    "oc get": "same as kubectl get",
    "oc describe": "same as kubectl describe",
    "oc logs": "same as kubectl logs",
    "oc explain": "same as kubectl explain",
    "oc api-resources": "same as kubectl api-resources",
    "oc api-versions": "same as kubectl api-versions",
    "oc version": "same as kubectl version",
    "oc events": "same as kubectl events",
    "oc wait": "same as kubectl wait",
    "oc status": "operands: none",
    "oc whoami": "operands: none",
    "oc projects": "operands: none",
    "oc delete": "weighty | removes objects of the cluster",
    "k9s": "praxic | an interactive display that can change the cluster",
    "kubectx": "praxic | switches the cluster",
    "kubens": "praxic | switches the namespace",
    "kustomize": "praxic | builds a folder that may fetch others",
    "skaffold": "praxic | builds and deploys",
    "tilt": "praxic | builds and deploys",
    "argocd": """
        Deployments by Argo CD.
        subcommands
        flags: --grpc-web --insecure --plaintext
        values: --server --argocd-context --http-retry-max --loglevel --logformat
    """,
    "argocd app": "subcommands",
    "argocd app list": """
        Lists applications.
        values: -o --output -l --selector -p --project -c --cluster -N --app-namespace -r --repo
        operands: none
    """,
    "argocd app get": """
        Shows an application.
        flags: --show-operation --show-params
        values: -o --output -N --app-namespace
        praxic: --refresh --hard-refresh | makes the server look anew
    """,
    "argocd app history": "values: -o --output -N --app-namespace",
    "argocd app resources": "values: -o --output -N --app-namespace --project\nflags: --orphaned",
    "argocd app logs": """
        Prints what an application said.
        flags: -f --follow -p --previous
        values: -c --container --filter --group --kind --name --namespace --tail --since-seconds -N --app-namespace
    """,
    "argocd cluster": "subcommands",
    "argocd cluster list": "values: -o --output",
    "argocd proj": "subcommands",
    "argocd proj list": "values: -o --output",
    "argocd repo": "subcommands",
    "argocd repo list": "values: -o --output",
    "argocd version": "flags: --client --short\nvalues: -o --output",
    "flux": """
        Deployments by Flux.
        subcommands
        values: -n --namespace --context
    """,
    "flux get": """
        Lists objects of Flux.
        flags: -A --all-namespaces --no-header -w --watch
        values: -n --namespace --context --status-selector -l --label-selector --timeout
    """,
    "flux logs": """
        Prints what Flux said.
        flags: -A --all-namespaces -f --follow
        values: -n --namespace --context --flux-namespace --kind --level --name --since --since-time --tail
    """,
    "flux stats": "same as flux get",
    "flux events": "same as flux get",
    "flux tree": "subcommands",
    "flux tree kustomization": "flags: --compact\nvalues: -n --namespace --context -o --output",
    "flux check": "flags: --pre\nvalues: -n --namespace --context",
    "flux version": "flags: --client\nvalues: -o --output",
    "istioctl": "praxic | changes the cluster",
    "eksctl": "subcommands\nhelp: -h",
    "eksctl get": """
        Lists clusters and their parts.
        values: -r --region -p --profile -o --output -n --name --cluster --chunk-size --timeout -v --verbose -C --color
    """,
    "eksctl version": "values: -o --output",
    "eksctl info": "values: -o --output",
    "kubeadm": "praxic | changes a cluster",
    "k3s": "praxic | runs a cluster",
    "k3d": "praxic | runs a cluster",
    "kompose": "praxic | writes files",
    "stern": "praxic | uses the configuration and the templates that it is given",
    "velero": "praxic | changes backups",
    "minikube": """
        A cluster on this machine.
        subcommands
        help: -h
    """,
    "minikube version": "operands: none",
    "minikube status": """
        Prints its state.
        values: -p --profile -o --output -f --format -n --node
        operands: none
    """,
    "minikube ip": """
        Prints its address.
        values: -p --profile -n --node
        operands: none
    """,
    "minikube delete": "weighty | removes the cluster",
    "kind": """
        Clusters on this machine.
        subcommands
        help: -h
    """,
    "kind version": "operands: none",
    "kind get": "subcommands",
    "kind get clusters": "operands: none",
    "kind get nodes": """
        Lists machines.
        flags: -A --all-clusters
        values: -n --name
        operands: none
    """,
    "kind delete": "weighty | removes clusters",
    "helm": """
        Packages of a cluster.
        subcommands
        flags: --debug
        values: -n --namespace --kube-context
        praxic: --kubeconfig --kube-apiserver --kube-token --kube-ca-file | uses another configuration
        praxic: --registry-config --repository-config --repository-cache | uses another configuration
        help: -h
    """,
    "helm list": """
        Lists releases.
        flags: --debug
        flags: -a --all -A --all-namespaces -d --date --deployed --failed --no-headers --pending -r --reverse -q --short
        flags: --superseded --uninstalled --uninstalling
        values: -n --namespace --kube-context
        values: -f --filter -m --max --offset -o --output -l --selector --time-format
        praxic: --kubeconfig --kube-apiserver --kube-token --kube-ca-file | uses another configuration
        praxic: --registry-config --repository-config --repository-cache | uses another configuration
        operands: none
    """,
    "helm ls": "same as helm list",
    "helm status": """
        Prints a release.
        flags: --debug
        flags: --show-desc --show-resources
        values: -n --namespace --kube-context
        values: -o --output --revision
        praxic: --kubeconfig --kube-apiserver --kube-token --kube-ca-file | uses another configuration
        praxic: --registry-config --repository-config --repository-cache | uses another configuration
    """,
    "helm history": """
        Prints the revisions of a release.
        flags: --debug
        values: -n --namespace --kube-context
        values: -o --output --max
        praxic: --kubeconfig --kube-apiserver --kube-token --kube-ca-file | uses another configuration
        praxic: --registry-config --repository-config --repository-cache | uses another configuration
    """,
    "helm version": """
        Prints the version.
        flags: --debug
        flags: --short
        values: -n --namespace --kube-context
        values: --template
        praxic: --kubeconfig --kube-apiserver --kube-token --kube-ca-file | uses another configuration
        praxic: --registry-config --repository-config --repository-cache | uses another configuration
        operands: none
    """,
    "helm env": """
        Prints the settings.
        flags: --debug
        values: -n --namespace --kube-context
        praxic: --kubeconfig --kube-apiserver --kube-token --kube-ca-file | uses another configuration
        praxic: --registry-config --repository-config --repository-cache | uses another configuration
    """,
    "helm get": "subcommands",
    "helm get all": """
        Prints a release.
        flags: --debug
        flags: -a --all
        values: -n --namespace --kube-context
        values: --revision --template -o --output
        praxic: --kubeconfig --kube-apiserver --kube-token --kube-ca-file | uses another configuration
        praxic: --registry-config --repository-config --repository-cache | uses another configuration
    """,
    "helm get values": "same as helm get all",
    "helm get manifest": "same as helm get all",
    "helm get notes": "same as helm get all",
    "helm get hooks": "same as helm get all",
    "helm get metadata": "same as helm get all",
    "helm show": "subcommands",
    "helm show chart": """
        Prints a package.
        flags: --debug
        flags: --devel --insecure-skip-tls-verify --verify --plain-http
        values: -n --namespace --kube-context
        values: --version --repo --jsonpath
        praxic: --kubeconfig --kube-apiserver --kube-token --kube-ca-file | uses another configuration
        praxic: --registry-config --repository-config --repository-cache | uses another configuration
    """,
    "helm show all": "same as helm show chart",
    "helm show values": "same as helm show chart",
    "helm show readme": "same as helm show chart",
    "helm show crds": "same as helm show chart",
    "helm search": "subcommands",
    "helm search repo": """
        Searches packages.
        flags: --debug
        flags: --devel -l --versions -r --regexp --fail-on-no-result --list-repo-url
        values: -n --namespace --kube-context
        values: --version -o --output --max-col-width --endpoint
        praxic: --kubeconfig --kube-apiserver --kube-token --kube-ca-file | uses another configuration
        praxic: --registry-config --repository-config --repository-cache | uses another configuration
    """,
    "helm search hub": "same as helm search repo",
    "helm repo": "subcommands",
    "helm repo list": """
        Lists repositories.
        flags: --debug
        values: -n --namespace --kube-context
        values: -o --output
        praxic: --kubeconfig --kube-apiserver --kube-token --kube-ca-file | uses another configuration
        praxic: --registry-config --repository-config --repository-cache | uses another configuration
        operands: none
    """,
    "helm dependency": "subcommands",
    "helm dependency list": """
        Lists what a package needs.
        flags: --debug
        values: -n --namespace --kube-context
        values: --max-col-width
        praxic: --kubeconfig --kube-apiserver --kube-token --kube-ca-file | uses another configuration
        praxic: --registry-config --repository-config --repository-cache | uses another configuration
    """,
    "helm dep": "subcommands",
    "helm dep list": "same as helm dependency list",
    "helm plugin": "subcommands",
    "helm plugin list": """
        Lists plugins.
        flags: --debug
        values: -n --namespace --kube-context
        praxic: --kubeconfig --kube-apiserver --kube-token --kube-ca-file | uses another configuration
        praxic: --registry-config --repository-config --repository-cache | uses another configuration
        operands: none
    """,
    "helm lint": """
        Checks a package.
        flags: --debug
        flags: --quiet --strict --with-subcharts --skip-schema-validation
        values: -n --namespace --kube-context
        values: -f --values --set --set-string --set-file --set-json --set-literal --kube-version
        praxic: --kubeconfig --kube-apiserver --kube-token --kube-ca-file | uses another configuration
        praxic: --registry-config --repository-config --repository-cache | uses another configuration
    """,
    "helm template": """
        Prints the objects of a package.
        flags: --debug
        flags: --include-crds --is-upgrade --no-hooks --skip-crds --skip-tests --devel --create-namespace
        values: -n --namespace --kube-context
        values: -f --values --set --set-string --set-file --set-json --set-literal --kube-version -a --api-versions -s
        values: --show-only --version --repo --name-template
        praxic: --kubeconfig --kube-apiserver --kube-token --kube-ca-file | uses another configuration
        praxic: --registry-config --repository-config --repository-cache | uses another configuration
        praxic: --post-renderer --post-renderer-args | runs the program that is named
        praxic: --output-dir --release-name --dependency-update --validate | writes files, or asks the cluster
    """,
    "helm uninstall": "weighty | removes a release",
    "helm delete": "weighty | removes a release",
    "helm push": "weighty | publishes a package",
    "helm install": "praxic | changes the cluster",
    "helm upgrade": "praxic | changes the cluster",
    "helm rollback": "praxic | changes the cluster",
    "helm pull": "praxic | saves a package",
    "helm package": "praxic | writes a package",
    "helm create": "praxic | writes files",
    "helm test": "praxic | runs the tests of a release",
    "helm diff": "praxic | runs a plugin",
    "helmfile": """
        praxic | runs hooks and changes the cluster
        help: -h -v version
    """,
    # ---- infrastructure: terraform, ansible and others --------------------------------------------------------
    "terraform": """
        Infrastructure as code.
        subcommands
        alone
        long
        praxic: -chdir | uses the configuration of another folder
        help: -h -help
    """,
    "terraform version": """
        Prints versions.
        long
        flags: -json
        operands: none
    """,
    "terraform fmt": """
        Checks the format of files.
        long
        flags: -check -diff -recursive -no-color
        optional: -list
        needs: -check | rewrites files
    """,
    "terraform show": """
        Prints the state or a plan.
        long
        obeys: .terraform
        configured
        flags: -json -no-color
        operands: read...
    """,
    "terraform output": """
        Prints outputs.
        long
        configured
        flags: -json -raw -no-color
        values: -state
        operands: read...
    """,
    "terraform validate": """
        Checks the configuration.
        long
        obeys: .terraform
        configured
        flags: -json -no-color -no-tests
        values: -test-directory
        operands: read...
    """,
    "terraform graph": """
        Prints the graph of resources.
        long
        obeys: .terraform
        configured
        flags: -draw-cycles
        values: -type -plan -module-depth
        operands: read...
    """,
    "terraform providers": """
        Prints providers, or their schemas.
        long
        configured
        flags: -json
        operands: none
    """,
    "terraform state": "subcommands",
    "terraform state list": """
        Lists resources.
        long
        configured
        flags: -no-color
        values: -state -id
        operands: read...
    """,
    "terraform state show": """
        Prints a resource.
        long
        obeys: .terraform
        configured
        flags: -no-color
        values: -state
        operands: read...
    """,
    "terraform state pull": """
        Prints the state.
        long
        configured
        flags: -no-color
        operands: none
    """,
    "terraform workspace": "subcommands",
    "terraform workspace list": """
        Lists workspaces.
        long
        configured
        flags: -no-color
        operands: none
    """,
    "terraform workspace show": """
        Prints the workspace.
        long
        configured
        flags: -no-color
        operands: none
    """,
    "terraform plan": "praxic | runs providers, whose data sources may run programs",
    "terraform init": "praxic | fetches providers and modules",
    "terraform console": "praxic | evaluates expressions and may lock the state",
    "terraform get": "praxic | fetches modules",
    "terraform import": "praxic | changes the state",
    "terraform refresh": "praxic | changes the state",
    "terraform taint": "praxic | changes the state",
    "terraform untaint": "praxic | changes the state",
    "terraform test": "praxic | creates infrastructure",
    "terraform login": "praxic | stores credentials",
    "terraform logout": "praxic | removes credentials",
    "terraform force-unlock": "praxic | removes a lock",
    "terraform apply": "weighty | changes infrastructure",
    "terraform destroy": "weighty | removes infrastructure",
    "terraform state rm": "weighty | forgets resources",
    "terraform state push": "weighty | replaces the state",
    "terraform state mv": "weighty | changes the state",
    "terraform state replace-provider": "weighty | changes the state",
    "terraform workspace delete": "weighty | removes a workspace",
    "tofu": "same as terraform",
    "tofu version": "same as terraform version",
    "tofu fmt": "same as terraform fmt",
    "tofu show": "same as terraform show",
    "tofu output": "same as terraform output",
    "tofu validate": "same as terraform validate",
    "tofu graph": "same as terraform graph",
    "tofu providers": "same as terraform providers",
    "tofu state": "same as terraform state",
    "tofu state list": "same as terraform state list",
    "tofu state show": "same as terraform state show",
    "tofu state pull": "same as terraform state pull",
    "tofu workspace": "same as terraform workspace",
    "tofu workspace list": "same as terraform workspace list",
    "tofu workspace show": "same as terraform workspace show",
    "tofu apply": "same as terraform apply",
    "tofu destroy": "same as terraform destroy",
    "tofu plan": "same as terraform plan",
    "tofu init": "same as terraform init",
    "terragrunt": "praxic | runs hooks and changes infrastructure",
    "pulumi": """
        Infrastructure as a program.
        subcommands
        flags: --non-interactive --disable-integrity-checking -e --emoji
        values: --color
    """,
    "pulumi stack": """
        Shows a stack.
        alone
        subcommands
        flags: -i --show-ids -u --show-urls --show-name --show-secrets
        values: -s --stack
    """,
    "pulumi stack ls": "flags: -a --all -j --json\nvalues: -o --organization -p --project -t --tag\noperands: none",
    "pulumi stack output": "flags: -j --json --show-secrets\nvalues: -s --stack",
    "pulumi stack history": "flags: -j --json --show-secrets --full-dates\nvalues: -s --stack --page --page-size",
    "pulumi whoami": "flags: -v --verbose -j --json\noperands: none",
    "pulumi version": "operands: none",
    "cdk": "praxic | runs a program that changes infrastructure",
    "sam": "praxic | builds and deploys",
    "serverless": "praxic | runs a program that changes infrastructure",
    "sls": "praxic | runs a program that changes infrastructure",
    "copilot": "praxic | changes infrastructure",
    "eb": "praxic | changes infrastructure",
    "doctl": """
        DigitalOcean's cloud.
        subcommands
        values: --context -o --output
    """,
    "doctl account": "subcommands",
    "doctl account get": "values: --format -o --output --context\nflags: --no-header\noperands: none",
    "doctl apps": "subcommands",
    "doctl apps list": "same as doctl compute droplet list",
    "doctl apps get": "same as doctl compute droplet list",
    "doctl apps logs": """
        Prints what an app said.
        flags: -f --follow --no-prefix
        values: --deployment --tail --type --context
    """,
    "doctl compute": "subcommands",
    "doctl compute droplet": "subcommands",
    "doctl compute droplet list": """
        Lists machines.
        flags: --no-header
        values: --format -o --output --region --tag-name --context
    """,
    "doctl compute droplet get": "same as doctl compute droplet list",
    "doctl databases": "subcommands",
    "doctl databases list": "same as doctl compute droplet list",
    "doctl kubernetes": "subcommands",
    "doctl kubernetes cluster": "subcommands",
    "doctl kubernetes cluster list": "same as doctl compute droplet list",
    "doctl kubernetes cluster get": "same as doctl compute droplet list",
    "hcloud": "praxic | changes infrastructure",
    "linode-cli": "praxic | changes infrastructure",
    "oci": "praxic | changes infrastructure",
    "ibmcloud": "praxic | changes infrastructure",
    "nomad": "praxic | runs jobs",
    "ansible": "praxic | runs commands on machines",
    "ansible-playbook": "praxic | runs commands on machines",
    "ansible-pull": "praxic | fetches and runs commands",
    "ansible-console": "praxic | runs commands on machines",
    "ansible-galaxy": "praxic | fetches code",
    "ansible-vault": "praxic | changes files",
    "ansible-inventory": "praxic | runs inventory programs",
    "ansible-config": "praxic | may start an editor",
    "ansible-doc": "praxic | loads plugins of the project",
    "ansible-lint": "praxic | loads plugins of the project",
    "puppet": "praxic | changes machines",
    "chef-client": "praxic | changes machines",
    "knife": "praxic | changes machines",
    "salt": "praxic | runs commands on machines",
    "salt-call": "praxic | runs commands",
    # ---- clouds -----------------------------------------------------------------------------------------------
    "aws": """
        Amazon's cloud; the service and the operation decide.
        stops
        flags: --no-paginate --no-cli-pager --no-sign-request --no-verify-ssl --debug --no-cli-auto-prompt
        values: --region --profile --output --query --color --ca-bundle --cli-read-timeout --cli-connect-timeout
        values: --cli-binary-format
        praxic: --endpoint-url | shows credentials to another server
        praxic: --cli-auto-prompt | asks what to do
        code: aws_verb
        help: help
    """,
    "gcloud": """
        Google's cloud.
        subcommands
        flags: -q --quiet --uri --global --log-http --no-user-output-enabled
        values: --project --format --filter --limit --sort-by --page-size --zone --region --zones --regions --location
        values: --account --verbosity --configuration --billing-project --impersonate-service-account
        praxic: --flags-file --access-token-file | takes options from a file
        help: -h
    """,
    "gcloud version": "operands: none",
    "gcloud info": "operands: none",
    "gcloud projects list": """
        Prints.
        flags: -q --quiet --uri --global --log-http --no-user-output-enabled
        values: --project --format --filter --limit --sort-by --page-size --zone --region --zones --regions --location
        values: --account --verbosity --configuration --billing-project --impersonate-service-account
    """,
    "gcloud app": "subcommands",
    "gcloud app describe": "same as gcloud projects list",
    "gcloud app services": "subcommands",
    "gcloud app services list": "same as gcloud projects list",
    "gcloud app services describe": "same as gcloud projects list",
    "gcloud app versions": "subcommands",
    "gcloud app versions list": "same as gcloud projects list",
    "gcloud app versions describe": "same as gcloud projects list",
    "gcloud artifacts": "subcommands",
    "gcloud artifacts docker": "subcommands",
    "gcloud artifacts docker images": "subcommands",
    "gcloud artifacts docker images list": "same as gcloud projects list",
    "gcloud artifacts docker images describe": "same as gcloud projects list",
    "gcloud artifacts repositories": "subcommands",
    "gcloud artifacts repositories list": "same as gcloud projects list",
    "gcloud artifacts repositories describe": "same as gcloud projects list",
    "gcloud auth": "subcommands",
    "gcloud auth list": "same as gcloud projects list",
    "gcloud builds": "subcommands",
    "gcloud builds list": "same as gcloud projects list",
    "gcloud builds describe": "same as gcloud projects list",
    "gcloud builds log": "same as gcloud projects list",
    "gcloud builds triggers": "subcommands",
    "gcloud builds triggers list": "same as gcloud projects list",
    "gcloud builds triggers describe": "same as gcloud projects list",
    "gcloud components": "subcommands",
    "gcloud components list": "same as gcloud projects list",
    "gcloud compute": "subcommands",
    "gcloud compute addresses": "subcommands",
    "gcloud compute addresses list": "same as gcloud projects list",
    "gcloud compute addresses describe": "same as gcloud projects list",
    "gcloud compute backend-services": "subcommands",
    "gcloud compute backend-services list": "same as gcloud projects list",
    "gcloud compute backend-services describe": "same as gcloud projects list",
    "gcloud compute disks": "subcommands",
    "gcloud compute disks list": "same as gcloud projects list",
    "gcloud compute disks describe": "same as gcloud projects list",
    "gcloud compute firewall-rules": "subcommands",
    "gcloud compute firewall-rules list": "same as gcloud projects list",
    "gcloud compute firewall-rules describe": "same as gcloud projects list",
    "gcloud compute forwarding-rules": "subcommands",
    "gcloud compute forwarding-rules list": "same as gcloud projects list",
    "gcloud compute forwarding-rules describe": "same as gcloud projects list",
    "gcloud compute images": "subcommands",
    "gcloud compute images list": "same as gcloud projects list",
    "gcloud compute images describe": "same as gcloud projects list",
    "gcloud compute instances": "subcommands",
    "gcloud compute instances list": "same as gcloud projects list",
    "gcloud compute instances describe": "same as gcloud projects list",
    "gcloud compute machine-types": "subcommands",
    "gcloud compute machine-types list": "same as gcloud projects list",
    "gcloud compute machine-types describe": "same as gcloud projects list",
    "gcloud compute networks": "subcommands",
    "gcloud compute networks list": "same as gcloud projects list",
    "gcloud compute networks describe": "same as gcloud projects list",
    "gcloud compute regions": "subcommands",
    "gcloud compute regions list": "same as gcloud projects list",
    "gcloud compute regions describe": "same as gcloud projects list",
    "gcloud compute zones": "subcommands",
    "gcloud compute zones list": "same as gcloud projects list",
    "gcloud compute zones describe": "same as gcloud projects list",
    "gcloud config": "subcommands",
    "gcloud config list": "same as gcloud projects list",
    "gcloud config get": "same as gcloud projects list",
    "gcloud config get-value": "same as gcloud projects list",
    "gcloud config configurations": "subcommands",
    "gcloud config configurations list": "same as gcloud projects list",
    "gcloud config configurations describe": "same as gcloud projects list",
    "gcloud container": "subcommands",
    "gcloud container clusters": "subcommands",
    "gcloud container clusters list": "same as gcloud projects list",
    "gcloud container clusters describe": "same as gcloud projects list",
    "gcloud container images": "subcommands",
    "gcloud container images list": "same as gcloud projects list",
    "gcloud container images list-tags": "same as gcloud projects list",
    "gcloud container images describe": "same as gcloud projects list",
    "gcloud dns": "subcommands",
    "gcloud dns managed-zones": "subcommands",
    "gcloud dns managed-zones list": "same as gcloud projects list",
    "gcloud dns managed-zones describe": "same as gcloud projects list",
    "gcloud dns record-sets": "subcommands",
    "gcloud dns record-sets list": "same as gcloud projects list",
    "gcloud dns record-sets describe": "same as gcloud projects list",
    "gcloud functions": "subcommands",
    "gcloud functions list": "same as gcloud projects list",
    "gcloud functions describe": "same as gcloud projects list",
    "gcloud functions logs": "subcommands",
    "gcloud functions logs read": """
        Prints logs.
        flags: -q --quiet --uri --global --log-http --no-user-output-enabled
        values: --project --format --filter --limit --sort-by --page-size --zone --region --zones --regions --location
        values: --account --verbosity --configuration --billing-project --impersonate-service-account
        values: --freshness --order --execution-id --min-log-level --start-time --end-time --resource-names
    """,
    "gcloud iam": "subcommands",
    "gcloud iam roles": "subcommands",
    "gcloud iam roles list": "same as gcloud projects list",
    "gcloud iam roles describe": "same as gcloud projects list",
    "gcloud iam service-accounts": "subcommands",
    "gcloud iam service-accounts list": "same as gcloud projects list",
    "gcloud iam service-accounts describe": "same as gcloud projects list",
    "gcloud iam service-accounts get-iam-policy": "same as gcloud projects list",
    "gcloud logging": "subcommands",
    "gcloud logging read": """
        Prints logs.
        flags: -q --quiet --uri --global --log-http --no-user-output-enabled
        values: --project --format --filter --limit --sort-by --page-size --zone --region --zones --regions --location
        values: --account --verbosity --configuration --billing-project --impersonate-service-account
        values: --freshness --order --execution-id --min-log-level --start-time --end-time --resource-names
    """,
    "gcloud logging logs": "subcommands",
    "gcloud logging logs list": "same as gcloud projects list",
    "gcloud organizations": "subcommands",
    "gcloud organizations list": "same as gcloud projects list",
    "gcloud projects": "subcommands",
    "gcloud projects describe": "same as gcloud projects list",
    "gcloud projects get-iam-policy": "same as gcloud projects list",
    "gcloud pubsub": "subcommands",
    "gcloud pubsub subscriptions": "subcommands",
    "gcloud pubsub subscriptions list": "same as gcloud projects list",
    "gcloud pubsub subscriptions describe": "same as gcloud projects list",
    "gcloud pubsub topics": "subcommands",
    "gcloud pubsub topics list": "same as gcloud projects list",
    "gcloud pubsub topics describe": "same as gcloud projects list",
    "gcloud redis": "subcommands",
    "gcloud redis instances": "subcommands",
    "gcloud redis instances list": "same as gcloud projects list",
    "gcloud redis instances describe": "same as gcloud projects list",
    "gcloud run": "subcommands",
    "gcloud run jobs": "subcommands",
    "gcloud run jobs list": "same as gcloud projects list",
    "gcloud run jobs describe": "same as gcloud projects list",
    "gcloud run revisions": "subcommands",
    "gcloud run revisions list": "same as gcloud projects list",
    "gcloud run revisions describe": "same as gcloud projects list",
    "gcloud run services": "subcommands",
    "gcloud run services list": "same as gcloud projects list",
    "gcloud run services describe": "same as gcloud projects list",
    "gcloud scheduler": "subcommands",
    "gcloud scheduler jobs": "subcommands",
    "gcloud scheduler jobs list": "same as gcloud projects list",
    "gcloud scheduler jobs describe": "same as gcloud projects list",
    "gcloud secrets": "subcommands",
    "gcloud secrets list": "same as gcloud projects list",
    "gcloud secrets describe": "same as gcloud projects list",
    "gcloud secrets versions": "subcommands",
    "gcloud secrets versions list": "same as gcloud projects list",
    "gcloud secrets versions describe": "same as gcloud projects list",
    "gcloud services": "subcommands",
    "gcloud services list": "same as gcloud projects list",
    "gcloud sql": "subcommands",
    "gcloud sql databases": "subcommands",
    "gcloud sql databases list": "same as gcloud projects list",
    "gcloud sql databases describe": "same as gcloud projects list",
    "gcloud sql instances": "subcommands",
    "gcloud sql instances list": "same as gcloud projects list",
    "gcloud sql instances describe": "same as gcloud projects list",
    "gcloud storage": "subcommands",
    "gcloud storage ls": """
        Lists files.
        flags: -q --quiet --uri --global --log-http --no-user-output-enabled
        values: --project --format --filter --limit --sort-by --page-size --zone --region --zones --regions --location
        values: --account --verbosity --configuration --billing-project --impersonate-service-account
        flags: -l --long -r -R --recursive -a --all-versions -b --buckets -L --full -j --json --readable-sizes
    """,
    "gcloud storage buckets": "subcommands",
    "gcloud storage buckets list": "same as gcloud projects list",
    "gcloud storage buckets describe": "same as gcloud projects list",
    "gcloud projects delete": "weighty | removes a project",
    "gsutil": """
        Google's storage.
        subcommands
    """,
    "gsutil version": "operands: none",
    "gsutil ls": """
        Lists files.
        flags: -l -L -b -d -r -R -a -e -h
        values: -p
    """,
    "gsutil du": """
        Prints sizes.
        flags: -a -c -h -s
        values: -e
    """,
    "gsutil stat": "operands: read...",
    "gsutil cat": """
        Prints files.
        flags: -h
        values: -r
    """,
    "gsutil rm": "weighty | removes files of the storage",
    "bq ls": """
        Lists datasets, tables or jobs.
        flags: -a --all -j -d -p --transfer_config
        values: -n --max_results --filter --page_token
        optional: --format --project_id --n --location --dataset_id
    """,
    "bq show": """
        Shows a dataset, a table or a job.
        flags: -d -j --schema --view -m --routine
        optional: --format --project_id --location
    """,
    "bq head": "values: -n --max_rows -s --start_row\noptional: --format --project_id --n --selected_fields",
    "bq": """
        BigQuery; a query may change data.
        subcommands
        optional: --format --project_id --location --dataset_id --headless --quiet
        help: version help
    """,
    "az": """
        Microsoft's cloud.
        subcommands
        flags: --only-show-errors --verbose --debug
        help: -h
    """,
    "az version": "operands: none",
    "az account": "subcommands",
    "az account list": """
        Prints.
        flags: --only-show-errors --verbose --debug
        values: -o --output --query --subscription -g --resource-group -n --name --ids
        flags: --all -d --show-details
        values: --location -l --tag
    """,
    "az account show": "same as az account list",
    "az account list-locations": "same as az account list",
    "az group": "subcommands",
    "az group list": "same as az account list",
    "az group show": "same as az account list",
    "az vm": "subcommands",
    "az vm list": "same as az account list",
    "az vm show": "same as az account list",
    "az aks": "subcommands",
    "az aks list": "same as az account list",
    "az aks show": "same as az account list",
    "az acr": "subcommands",
    "az acr list": "same as az account list",
    "az acr show": "same as az account list",
    "az acr repository": "subcommands",
    "az acr repository list": "same as az account list",
    "az acr repository show": "same as az account list",
    "az webapp": "subcommands",
    "az webapp list": "same as az account list",
    "az webapp show": "same as az account list",
    "az webapp log": "subcommands",
    "az webapp log tail": "same as az account list",
    "az webapp log show": "same as az account list",
    "az webapp config": "subcommands",
    "az webapp config show": "same as az account list",
    "az webapp config appsettings": "subcommands",
    "az webapp config appsettings list": "same as az account list",
    "az webapp config connection-string": "subcommands",
    "az webapp config connection-string list": "same as az account list",
    "az webapp deployment": "subcommands",
    "az webapp deployment slot": "subcommands",
    "az webapp deployment slot list": "same as az account list",
    "az functionapp": "subcommands",
    "az functionapp list": "same as az account list",
    "az functionapp show": "same as az account list",
    "az appservice": "subcommands",
    "az appservice plan": "subcommands",
    "az appservice plan list": "same as az account list",
    "az appservice plan show": "same as az account list",
    "az storage": "subcommands",
    "az storage account": "subcommands",
    "az storage account list": "same as az account list",
    "az storage account show": "same as az account list",
    "az keyvault": "subcommands",
    "az keyvault list": "same as az account list",
    "az keyvault show": "same as az account list",
    "az resource": "subcommands",
    "az resource list": "same as az account list",
    "az resource show": "same as az account list",
    "az network": "subcommands",
    "az network vnet": "subcommands",
    "az network vnet list": "same as az account list",
    "az network vnet show": "same as az account list",
    "az network nsg": "subcommands",
    "az network nsg list": "same as az account list",
    "az network nsg show": "same as az account list",
    "az network public-ip": "subcommands",
    "az network public-ip list": "same as az account list",
    "az network public-ip show": "same as az account list",
    "az sql": "subcommands",
    "az sql server": "subcommands",
    "az sql server list": "same as az account list",
    "az sql server show": "same as az account list",
    "az sql db": "subcommands",
    "az sql db list": "same as az account list",
    "az sql db show": "same as az account list",
    "az cosmosdb": "subcommands",
    "az cosmosdb list": "same as az account list",
    "az cosmosdb show": "same as az account list",
    "az containerapp": "subcommands",
    "az containerapp list": "same as az account list",
    "az containerapp show": "same as az account list",
    "az deployment": "subcommands",
    "az deployment group": "subcommands",
    "az deployment group list": "same as az account list",
    "az deployment group show": "same as az account list",
    "az ad": "subcommands",
    "az ad signed-in-user": "subcommands",
    "az ad signed-in-user show": "same as az account list",
    "az role": "subcommands",
    "az role assignment": "subcommands",
    "az role assignment list": "same as az account list",
    "az extension": "subcommands",
    "az extension list": "same as az account list",
    "az cloud": "subcommands",
    "az cloud list": "same as az account list",
    "az cloud show": "same as az account list",
    "az group delete": "weighty | removes a group with all it holds",
    "heroku": """
        Heroku's cloud.
        subcommands
        help: -h
    """,
    "heroku version": "operands: none",
    "heroku apps": """
        Lists applications.
        flags: --json --all -A --no-color --extended -x
        values: -a --app -r --remote -t --team -s --space
        operands: none
    """,
    "heroku apps:info": "same as heroku apps",
    "heroku ps": "same as heroku apps",
    "heroku releases": "same as heroku apps",
    "heroku addons": "same as heroku apps",
    "heroku domains": "same as heroku apps",
    "heroku pg:info": "same as heroku apps",
    "heroku pipelines": "same as heroku apps",
    "heroku regions": "same as heroku apps",
    "heroku stack": "same as heroku apps",
    "heroku config": """
        Prints settings.
        flags: --json -j -s --shell
        values: -a --app -r --remote
        operands: none
    """,
    "heroku logs": """
        Prints logs.
        flags: -t --tail --no-color
        values: -a --app -r --remote -n --num -d --dyno -p --ps --process-type -s --source
        operands: none
    """,
    "heroku auth:whoami": "operands: none",
    "heroku apps:destroy": "weighty | removes an application",
    "heroku pg:reset": "weighty | empties a database",
    "fly": """
        Fly's cloud.
        subcommands
        help: -h
    """,
    "fly status": """
        Prints.
        flags: -j --json -q --quiet --all --verbose
        values: -a --app -o --org
        operands: none
    """,
    "fly releases": "same as fly status",
    "fly version": "same as fly status",
    "fly logs": """
        Prints logs.
        flags: -j --json -n --no-tail
        values: -a --app -i --instance -r --region --machine
        operands: none
    """,
    "fly apps": "subcommands",
    "fly apps list": "same as fly status",
    "fly machine": "subcommands",
    "fly machine list": "same as fly status",
    "fly machine status": """
        Prints a machine.
        flags: -j --json -q --quiet --all --verbose
        values: -a --app -o --org
        operands: read
    """,
    "fly machines": "subcommands",
    "fly machines list": "same as fly status",
    "fly machines status": """
        Prints a machine.
        flags: -j --json -q --quiet --all --verbose
        values: -a --app -o --org
        operands: read
    """,
    "fly m": "subcommands",
    "fly m list": "same as fly status",
    "fly secrets": "subcommands",
    "fly secrets list": "same as fly status",
    "fly volumes": "subcommands",
    "fly volumes list": "same as fly status",
    "fly ips": "subcommands",
    "fly ips list": "same as fly status",
    "fly regions": "subcommands",
    "fly regions list": "same as fly status",
    "fly auth": "subcommands",
    "fly auth whoami": "same as fly status",
    "fly orgs": "subcommands",
    "fly orgs list": "same as fly status",
    "fly certs": "subcommands",
    "fly certs list": "same as fly status",
    "fly apps destroy": "weighty | removes an application",
    "flyctl": "same as fly",
    "flyctl status": "same as fly status",
    "flyctl releases": "same as fly status",
    "flyctl version": "same as fly status",
    "flyctl logs": "same as fly logs",
    "flyctl apps": "same as fly apps",
    "flyctl apps list": "same as fly status",
    "flyctl secrets": "same as fly secrets",
    "flyctl secrets list": "same as fly status",
    "flyctl machine": "same as fly machine",
    "flyctl machine list": "same as fly status",
    "flyctl volumes": "same as fly volumes",
    "flyctl volumes list": "same as fly status",
    "flyctl apps destroy": "same as fly apps destroy",
    "vercel": """
        Vercel's cloud; without a command it deploys.
        subcommands
        help: -h
    """,
    "vercel whoami": """
        Prints who is logged in.
        flags: --no-color
        operands: none
    """,
    "vercel inspect": """
        Prints a deployment.
        flags: -l --logs --wait --no-color
        values: -S --scope -T --team --timeout
        operands: read
    """,
    "vercel logs": """
        Prints logs.
        flags: -j --json --no-color -f --follow
        values: -S --scope -T --team
        operands: read
    """,
    "netlify": """
        Netlify's cloud.
        subcommands
        help: -h
    """,
    "netlify sites:list": """
        Lists sites.
        flags: --json
        operands: none
    """,
    "wrangler": """
        Cloudflare's cloud.
        subcommands
        help: -h
    """,
    "wrangler whoami": "operands: none",
    **{
        f"wrangler {name}": "subcommands"
        for name in ("d1", "kv", "kv namespace", "kv key", "r2", "r2 bucket", "secret", "queues", "versions", "pages")
    },
    "wrangler pages project": "subcommands",
    **dict.fromkeys(
        (
            *("wrangler d1 list", "wrangler d1 info", "wrangler kv namespace list", "wrangler kv key list"),
            *("wrangler r2 bucket list", "wrangler secret list", "wrangler queues list", "wrangler versions list"),
            "wrangler pages project list",
        ),
        """
        Lists what is there.
        configured
        flags: --json --remote
        values: --name -e --env --namespace-id --binding --prefix --format
        """,
    ),
    "wrangler deployments": "subcommands",
    "wrangler deployments list": """
        Lists deployments.
        configured
        flags: --json
        values: --name
        operands: none
    """,
    "firebase": """
        praxic | writes a log into the working folder, whatever the command
        help: -h -V
    """,
    "railway": "subcommands\nhelp: -h -V",
    "railway status": "flags: --json\noperands: none",
    "railway whoami": "flags: --json\noperands: none",
    "railway list": "flags: --json\noperands: none",
    "railway logs": """
        Prints what a service said.
        flags: -d --deployment -b --build --json
        values: -s --service -e --environment -n --lines --tail --since --until -f --filter
    """,
    "render": "praxic | deploys",
    "supabase": "praxic | changes databases and deploys",
    "now": "praxic | deploys",
    "surge": "praxic | publishes a site",
    "amplify": "praxic | changes infrastructure",
    "gh-pages": "praxic | publishes a site",
    "cf": "praxic | changes infrastructure",
    "s3cmd": "praxic | changes files of the storage",
    "mc": "praxic | changes files of the storage",
    # ---- databases --------------------------------------------------------------------------------------------
    "psql": """
        PostgreSQL; known to look are the list of databases, the describing commands, and statements that only read.
        flags: -l --list -A --no-align -b --echo-errors --csv -e --echo-queries -E --echo-hidden -H --html -q --quiet -t
        flags: --tuples-only -w --no-password -x --expanded -X --no-psqlrc -z --field-separator-zero -0
        flags: --record-separator-zero
        values: -h --host -p --port -U --username -d --dbname
        values: -F --field-separator -R --record-separator -c --command -v --set --variable -P --pset
        praxic: -f --file | runs the statements of a file
        praxic: -o --output -L --log-file -W --password -1 --single-transaction | changes how it runs, or writes files
        code: psql
        help: -? -V
    """,
    "pg_isready": """
        Asks whether a server answers.
        flags: -q --quiet
        values: -h --host -p --port -U --username -d --dbname
        values: -t --timeout
        operands: none
        code: connection
        help: -? -V
    """,
    "pg_dump": """
        Prints a database as statements.
        flags: -a --data-only -b --blobs -B --no-blobs -c --clean -C --create -O --no-owner -s --schema-only -v
        flags: --verbose -x
        flags: --no-privileges --no-acl --column-inserts --attribute-inserts --disable-dollar-quoting --disable-triggers
        flags: --enable-row-security --if-exists --inserts --load-via-partition-root --no-comments --no-publications
        flags: --no-security-labels --no-subscriptions --no-sync --no-table-access-method --no-tablespaces
        flags: --no-toast-compression --no-unlogged-table-data --on-conflict-do-nothing --quote-all-identifiers
        flags: --strict-names --use-set-session-authorization -w --no-password
        values: -h --host -p --port -U --username -d --dbname
        values: -e --extension -E --encoding -F --format -n --schema -N --exclude-schema -t --table -T --exclude-table
        values: -Z
        values: --compress --exclude-table-data --extra-float-digits --lock-wait-timeout --rows-per-insert --section
        values: --role
        writes: -f --file | writes the dump into the file that is named
        code: connection
        help: -? -V
    """,
    "pg_dumpall": """
        praxic | prints all databases and their passwords, with settings in its connection that the card does not know
        help: -? -V
    """,
    "pg_restore": """
        Reads a dump.
        flags: -l --list -v --verbose
        values: -F --format
        operands: read
        needs: -l --list | restores a database
        help: -? -V
    """,
    "pg_config": "any",
    "pg_controldata": "any",
    "pg_lsclusters": "any",
    "dropdb": """
        weighty | removes a database
        help: -? -V
    """,
    "dropuser": """
        weighty | removes a user of the database
        help: -? -V
    """,
    "createdb": """
        praxic | creates a database
        help: -? -V
    """,
    "createuser": """
        praxic | creates a user of the database
        help: -? -V
    """,
    "initdb": """
        praxic | creates a database cluster
        help: -? -V
    """,
    "pg_ctl": """
        praxic | starts and stops a server
        help: -? -V
    """,
    "pg_ctlcluster": """
        praxic | starts and stops a server
        help: -? -V
    """,
    "pg_basebackup": """
        praxic | writes a backup
        help: -? -V
    """,
    "pg_upgrade": """
        praxic | changes a database cluster
        help: -? -V
    """,
    "pg_resetwal": """
        praxic | changes a database cluster
        help: -? -V
    """,
    "vacuumdb": """
        praxic | changes how data is stored
        help: -? -V
    """,
    "reindexdb": """
        praxic | changes indexes
        help: -? -V
    """,
    "clusterdb": """
        praxic | changes how data is stored
        help: -? -V
    """,
    "pgbench": """
        praxic | changes a database
        help: -? -V
    """,
    "pgcli": """
        praxic | runs statements
        help: -? -V
    """,
    "pgloader": """
        praxic | loads data
        help: -? -V
    """,
    "postgres": """
        praxic | runs a server
        help: -? -V
    """,
    "mysql": """
        MySQL; known to look are statements that only read.
        flags: -N --skip-column-names -s --silent -B --batch -t --table -E --vertical -r --raw -H --html -X --xml -v
        flags: --verbose -f --force -A --no-auto-rehash -C --compress -q --quick -w --wait -n --unbuffered
        values: -u --user -h --host -P --port -D --database -S --socket --protocol -e --execute --connect-timeout
        values: --default-character-set --ssl-mode --login-path
        optional: -p --password
        code: mysql
        help: -? -V
    """,
    "mariadb": "same as mysql",
    "mycli": "praxic | runs statements, which may change data",
    "mysqladmin": """
        A server of MySQL.
        subcommands
        flags: -s --silent -v --verbose
        values: -h --host -P --port -u --user -S --socket --protocol
        optional: -p --password
        help: -? -V
    """,
    "mysqladmin ping": """
        Prints.
        flags: -s --silent -v --verbose
        values: -h --host -P --port -u --user -S --socket --protocol
        optional: -p --password
        operands: none
    """,
    "mysqladmin status": "same as mysqladmin ping",
    "mysqladmin version": "same as mysqladmin ping",
    "mysqladmin processlist": "same as mysqladmin ping",
    "mysqladmin variables": "same as mysqladmin ping",
    "mysqladmin extended-status": "same as mysqladmin ping",
    "mysqladmin drop": "weighty | removes a database",
    "mariadb-admin": "same as mysqladmin",
    "mariadb-admin ping": "same as mysqladmin ping",
    "mariadb-admin status": "same as mysqladmin ping",
    "mariadb-admin version": "same as mysqladmin ping",
    "mariadb-admin processlist": "same as mysqladmin ping",
    "mariadb-admin variables": "same as mysqladmin ping",
    "mariadb-admin extended-status": "same as mysqladmin ping",
    "mysqlshow": """
        Lists databases, tables and columns.
        flags: -k --keys -i --status -v --verbose -t --show-table-type --count
        values: -h --host -P --port -u --user -S --socket --protocol
        optional: -p --password
        help: -? -V
    """,
    "mariadb-show": "same as mysqlshow",
    "mysqldump": """
        Prints a database as statements.
        flags: -d --no-data -t --no-create-info -n --no-create-db --single-transaction --skip-lock-tables
        flags: --skip-comments
        flags: --compact --skip-add-drop-table --skip-add-locks --skip-opt --opt -q --quick -R --routines --triggers
        flags: --skip-triggers -E --events -B --databases -A --all-databases -y --no-tablespaces -c --complete-insert
        flags: --skip-extended-insert --hex-blob --skip-dump-date -v --verbose
        values: -h --host -P --port -u --user -S --socket --protocol
        optional: -p --password
        values: -w --where --ignore-table --default-character-set
        writes: -r --result-file | writes the dump into the file that is named
        praxic: -T --tab -F --flush-logs --delete-master-logs --flush-privileges | writes files, or changes the server
        praxic: --defaults-file --plugin-dir | writes files, or changes the server
        help: -? -V
    """,
    "mariadb-dump": "same as mysqldump",
    "mysqlimport": """
        praxic | loads data
        help: -? -V
    """,
    "mysqlcheck": """
        praxic | repairs tables
        help: -? -V
    """,
    "mysqld": """
        praxic | runs a server
        help: -? -V
    """,
    "mariadbd": """
        praxic | runs a server
        help: -? -V
    """,
    "mysqlslap": """
        praxic | loads a server
        help: -? -V
    """,
    "mysqlbinlog": """
        praxic | reads and writes logs of changes
        help: -? -V
    """,
    "mysql_upgrade": """
        praxic | changes a server
        help: -? -V
    """,
    "sqlite3": """
        SQLite; known to look are statements that only read, on a database that opening leaves as it is.
        long
        flags: -readonly --readonly -header -headers -noheader --header -csv --csv -json --json -column --column -line
        flags: -list
        flags: -html -markdown -table -box --table --box --markdown -tabs -quote -ascii -batch -bail -nofollow -safe
        flags: -stats
        values: -separator -nullvalue -newline
        praxic: -cmd --cmd -init --init -A -append -deserialize -zip -echo | runs commands, or opens files in other ways
        praxic: -interactive -vfs -unsafe-testing | runs commands, or opens files in other ways
        code: sqlite
        help: -help -version
    """,
    "sqldiff": "any",
    "litecli": "praxic | runs statements, which may change data",
    "duckdb": """
        praxic | runs statements, which may write files even on a database that is only read
        help: -help -version
    """,
    "redis-cli": """
        Redis; known to look are the commands that only read.
        stops
        flags: --raw --no-raw --json --csv --tls --insecure --no-auth-warning -2 -3 -c -e --quoted-input
        values: -h -p -s -a -u -n -t --user --pass --cacert --sni
        praxic: --eval --ldb --ldb-sync-mode --pipe --cluster --rdb | runs scripts, loads data or writes files
        praxic: --functions-rdb --askpass -x -X -r -i | runs scripts, loads data or writes files
        code: redis
        help: -v
        form: runs one command
        form: measures
        flags: --stat --latency --bigkeys --memkeys --hotkeys --scan
        values: --pattern --quoted-pattern --count
        operands: none
        needs: --stat --latency --bigkeys --memkeys --hotkeys --scan | takes commands from its input
    """,
    "valkey-cli": "same as redis-cli",
    "redis-server": "praxic | runs a server",
    "redis-benchmark": "praxic | changes a database",
    "valkey-server": "praxic | runs a server",
    "memcached": "praxic | runs a server",
    "mongosh": "praxic | runs a program on a database",
    "mongo": "praxic | runs a program on a database",
    "mongod": "praxic | runs a server",
    "mongodump": "praxic | writes files",
    "mongoexport": "praxic | writes files",
    "mongorestore": "praxic | changes a database",
    "mongoimport": "praxic | changes a database",
    "clickhouse-client": "praxic | runs statements, which may change data",
    "clickhouse": "praxic | runs statements and servers",
    "cqlsh": "praxic | runs statements, which may change data",
    "influx": "praxic | changes a database",
    "cockroach": "praxic | runs statements and servers",
    "snowsql": "praxic | runs statements, which may change data",
    "sqlcmd": "praxic | runs statements, which may change data",
    "sqlplus": "praxic | runs statements, which may change data",
    "usql": "praxic | runs statements, which may change data",
    "neo4j": "praxic | runs a server",
    "cypher-shell": "praxic | runs statements, which may change data",
    "rabbitmqctl": "praxic | changes a server",
    "kafka-topics": "praxic | changes topics",
    "kafka-console-producer": "praxic | sends messages",
    "kafka-console-consumer": "praxic | takes messages from a topic",
    "kcat": "praxic | sends or takes messages",
    "nats": "praxic | sends or takes messages",
    "mosquitto_pub": "praxic | sends messages",
    "mosquitto_sub": "praxic | takes messages",
    "etcdctl": """
        The store etcd.
        subcommands
        flags: --insecure-skip-tls-verify --insecure-transport --debug
        values: --endpoints --cacert --cert --key -w --write-out --dial-timeout --command-timeout --user --password
        help: -h
    """,
    "etcdctl version": "operands: none",
    "etcdctl get": """
        Prints values.
        flags: --insecure-skip-tls-verify --insecure-transport --debug
        values: --endpoints --cacert --cert --key -w --write-out --dial-timeout --command-timeout --user --password
        flags: --prefix --keys-only --print-value-only --count-only --from-key
        values: --limit --rev --sort-by --order --consistency
    """,
    "etcdctl endpoint": "subcommands",
    "etcdctl endpoint health": """
        Prints.
        flags: --insecure-skip-tls-verify --insecure-transport --debug
        values: --endpoints --cacert --cert --key -w --write-out --dial-timeout --command-timeout --user --password
        flags: --cluster
        operands: none
    """,
    "etcdctl endpoint status": "same as etcdctl endpoint health",
    "etcdctl member": "subcommands",
    "etcdctl member list": "same as etcdctl endpoint health",
    "etcdctl del": "weighty | removes keys",
    "consul": """
        Consul.
        subcommands
        long
        help: -h
    """,
    "consul version": "operands: none",
    "consul members": """
        Lists members.
        long
        flags: -detailed -wan
        operands: none
    """,
    "consul info": "operands: none",
    "consul kv": "subcommands",
    "consul kv get": """
        Prints values.
        long
        flags: -recurse -keys -detailed -base64
        values: -separator
        operands: read
    """,
    "consul catalog": "subcommands",
    "consul catalog services": "operands: none",
    "consul catalog nodes": "operands: none",
    "vault": """
        Vault.
        subcommands
        long
        help: -h
    """,
    "vault version": "operands: none",
    "vault status": """
        Prints its state.
        long
        values: -format
        operands: none
    """,
    "vault kv": "subcommands",
    "vault kv get": """
        Prints a secret.
        long
        values: -format -field -mount -version
        operands: read
    """,
    "vault kv list": "same as vault kv get",
    "vault kv destroy": "weighty | removes secrets",
    "vault kv metadata": "subcommands",
    "vault kv metadata get": "same as vault kv get",
}
